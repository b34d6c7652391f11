// SPDX-License-Identifier: MIT

import CardConnection
import Scenario
import SmartCard
import Type4Tag

/// Verbs of NFC Forum Type 4 Tags: `ndef.detect`, `ndef.read`, `ndef.write`.
let ndefVerbs: [Verb] = [detectVerb, readVerb, writeVerb]

private let detectVerb = Verb(
    VerbSpec(
        "ndef.detect",
        "Detects a Type 4 Tag: selects its application and reads the capability container.",
        results: [
            ResultSpec("version", .number(0...255), "mapping version, 0x20 for 2.0"),
            ResultSpec("mle", .number(0...65_535), "largest READ BINARY"),
            ResultSpec("mlc", .number(0...65_535), "largest UPDATE BINARY"),
            ResultSpec("file", .bytes, "id of the NDEF file"),
            ResultSpec(
                "size",
                .number(0...65_535),
                "size of the NDEF file in bytes, its length field included"
            ),
            ResultSpec("writable", .boolean, "whether the container lets anybody write"),
        ]
    )
) { call in
    let container = try tag(of: call) { (reader) throws(Type4TagError) in try reader.detect() }
    let file = container.ndefFile
    call.observation.fields["version"] = .number(Int(container.mappingVersion))
    call.observation.fields["mle"] = .number(container.largestRead)
    call.observation.fields["mlc"] = .number(container.largestWrite)
    call.observation.fields["file"] = .bytes([UInt8(file.fileID >> 8), UInt8(file.fileID & 0xFF)])
    call.observation.fields["size"] = .number(file.maximumSize)
    call.observation.fields["writable"] = .boolean(file.writeAccess == 0)
}

private let readVerb = Verb(
    VerbSpec(
        "ndef.read",
        "Reads the NDEF message of a Type 4 Tag.",
        discussion: "Detects the tag, then reads the length and the message in pieces of at most MLe bytes.",
        results: [
            ResultSpec("message", .bytes, "the message, without its length field"),
            ResultSpec("length", .number(0...65_535), "number of bytes"),
            ResultSpec(
                "ndef",
                .list(.any),
                parts: ["type", "id", "payload", "tnf", "name", "uri", "text", "address"],
                "the records: type, id, payload, tnf, and uri or text where they are"
            ),
        ]
    )
) { call in
    let message = try tag(of: call) { (reader) throws(Type4TagError) in
        try reader.detect()
        return try reader.readMessage()
    }
    call.observation.fields["message"] = .bytes(message)
    call.observation.fields["length"] = .number(message.count)
    guard !message.isEmpty else {
        call.observation.fields["ndef"] = .list([])
        return
    }
    do {
        call.observation.fields["ndef"] = .list(try NDEFMessage(bytes: message).records.map(value))
    } catch {
        // The bytes are what was asked for; that they are no NDEF message shows when a step expects records.
        call.warnings.append("the content is no NDEF message: \(error)")
    }
}

private let recordKind = ArgumentChoice.atMostOne("record")
private let messageKind = ArgumentChoice.exactlyOne("message")

/// What makes up a record: one of `uri`, `text`, `external` and `media`.
private let recordArguments: [ArgumentSpec] = [
    ArgumentSpec("uri", .text, choice: recordKind, "a URI"),
    ArgumentSpec("text", .text, choice: recordKind, "a text"),
    ArgumentSpec("language", .text, beside: ["text"], "language of the text; en by default"),
    ArgumentSpec(
        "external",
        .text,
        choice: recordKind,
        "a type of somebody's own, for example example.com:thing"
    ),
    ArgumentSpec("media", .text, choice: recordKind, "a media type, for example text/plain"),
    ArgumentSpec(
        "payload",
        .bytes,
        beside: ["external", "media"],
        "content of an external or media record"
    ),
    ArgumentSpec("id", .bytes, beside: ["external", "media"], "id of an external or media record"),
]

private let writeVerb = Verb(
    VerbSpec(
        "ndef.write",
        "Writes the NDEF message of a Type 4 Tag.",
        discussion: """
            The length is set to 0000 first and to its value last, so that an interrupted write leaves an empty tag;
            pieces have at most MLc bytes. Give a whole message, one URI or text, or several records.
            """,
        arguments: [
            ArgumentSpec(
                "message",
                .bytes(0...65_535),
                choice: messageKind,
                "the whole message, without a length field"
            ),
            ArgumentSpec("uri", .text, choice: messageKind, "a message of one URI record"),
            ArgumentSpec("text", .text, choice: messageKind, "a message of one text record"),
            ArgumentSpec("language", .text, beside: ["text"], "language of the text; en by default"),
            ArgumentSpec(
                "records",
                .list(.map(recordArguments)),
                choice: messageKind,
                "a message of these records"
            ),
        ],
        rules: [
            ArgumentRule(["message", "uri", "text", "language", "records"]) { values in
                do throws(NDEFError) {
                    _ = try message(of: values)
                    return nil
                } catch {
                    let name = ["uri", "text", "records"].first { values[$0] != nil }
                    return ArgumentRule.Complaint(name ?? "message", "\(error)")
                }
            }
        ],
        bare: "message",
        results: [ResultSpec("length", .number(0...65_535), "number of bytes")]
    )
) { call in
    let message = try messageToWrite(call)
    try tag(of: call) { (reader) throws(Type4TagError) in
        try reader.detect()
        try reader.writeMessage(message)
    }
    call.observation.fields["length"] = .number(message.count)
}

private func messageToWrite(_ call: VerbCall) throws(VerbStop) -> [UInt8] {
    let names = ["message", "uri", "text", "records"]
    let given = names.filter { call.argument($0) != nil }
    guard given.count == 1 else {
        throw call.wrong(
            "message",
            "exactly one of message, uri, text and records is needed, here are \(given.count)"
        )
    }
    if let message = try call.bytes("message") { return message }
    var values: [String: Value] = [:]
    for name in given + ["language"] { values[name] = call.argument(name) }
    do throws(NDEFError) {
        return try message(of: values) ?? []
    } catch {
        throw call.wrong(given[0], "\(error)")
    }
}

/// The bytes of the message that arguments describe; nil when they do not.
private func message(of values: [String: Value]) throws(NDEFError) -> [UInt8]? {
    if case .text(let uri)? = values["uri"] { return try NDEFMessage([.uri(uri)]).bytes }
    if case .text(let text)? = values["text"] {
        return try NDEFMessage([.text(text, language: values["language"]?.text ?? "en")]).bytes
    }
    guard case .list(let list)? = values["records"] else { return nil }
    var records: [NDEFRecord] = []
    for value in list { records.append(try record(of: value)) }
    return try NDEFMessage(records).bytes
}

/// Makes a record of what a step says of it; one that names no kind is an empty record.
private func record(of value: Value) throws(NDEFError) -> NDEFRecord {
    guard case .map(let map) = value else { return try NDEFRecord(format: .empty) }
    func text(_ key: String) -> String? {
        guard case .text(let text)? = map[key] else { return nil }
        return text
    }
    func bytes(_ key: String) -> [UInt8]? {
        guard case .bytes(let bytes)? = map[key] else { return nil }
        return bytes
    }
    if let uri = text("uri") { return try .uri(uri) }
    if let content = text("text") { return try .text(content, language: text("language") ?? "en") }
    let payload = bytes("payload") ?? []
    if let name = text("external") { return try .external(name, id: bytes("id"), payload: payload) }
    if let type = text("media") { return try .media(type, id: bytes("id"), payload: payload) }
    return try NDEFRecord(format: .empty)
}

private func value(of record: NDEFRecord) -> Value {
    var map: [String: Value] = [
        "tnf": .number(Int(record.format.rawValue)), "type": .bytes(record.type),
        "payload": .bytes(record.payload),
        "name": .text(record.typeName),
    ]
    if let id = record.id { map["id"] = .bytes(id) }
    if let uri = record.uri { map["uri"] = .text(uri) }
    if let text = record.text { map["text"] = .text(text.text) }
    if let bluetooth = record.bluetooth { map["address"] = .bytes(bluetooth.address) }
    return .map(map)
}

/// Runs the tag library, and turns its errors into the verb's end.
@discardableResult
private func tag<Result>(
    of call: VerbCall,
    _ work: (Type4TagReader) throws(Type4TagError) -> Result
) throws(VerbStop) -> Result {
    do throws(Type4TagError) {
        return try work(Type4TagReader(ObservedConnection(call)))
    } catch {
        switch error {
        case .transport(let fault): throw .fault(fault)
        case .status(let step, _):
            guard let exchange = call.observation.lastCommand else {
                throw .device(name: "tag", detail: step)
            }
            throw .status(of: exchange, what: step)
        case .container: throw .device(name: "container", detail: "\(error)")
        case .readProtected: throw .device(name: "readProtected", detail: "\(error)")
        case .writeProtected: throw .device(name: "writeProtected", detail: "\(error)")
        case .messageTooLong: throw .device(name: "messageTooLong", detail: "\(error)")
        default: throw .device(name: "tag", detail: "\(error)")
        }
    }
}
