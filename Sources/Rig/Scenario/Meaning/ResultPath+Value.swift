// SPDX-License-Identifier: MIT

internal import SmartCard
import Wording

/// Why a path has no value.
struct NoValue: Error {
    /// Who is to blame.
    enum Cause {
        /// The answer lacks what is asked for.
        case answer
        /// No answer could have it.
        case path
    }

    let cause: Cause
    /// What is missing, without the path.
    let reason: String
}

extension ResultPath {
    /// The value at the path in what a step saw.
    ///
    /// - Parameters:
    ///   - observation: What the step saw.
    ///   - tags: The TLV path with its names resolved, when the path begins with one.
    ///   - dictionary: The target's dictionary, which tells the coding of objects.
    /// - Returns: The value, with its type.
    /// - Throws: ``NoValue`` when nothing is there.
    func value(
        from observation: Observation,
        tags: TLVPath?,
        dictionary: DeviceDictionary?
    ) throws(NoValue) -> Value {
        var value = try start(in: observation, tags: tags, dictionary)
        for part in parts { value = try Self.value(of: part, in: value) }
        return value
    }

    private func start(
        in observation: Observation,
        tags: TLVPath?,
        _ dictionary: DeviceDictionary?
    ) throws(NoValue) -> Value {
        switch root {
        case .status: return .statusWord(try Self.answer(observation).sw)
        case .data: return .bytes(try Self.answer(observation).data)
        case .time: return .duration(observation.exchanges.last?.duration ?? observation.duration)
        case .total: return .duration(observation.total ?? observation.duration)
        case .tlv:
            let data = try Self.answer(observation).data
            let objects: [TLV]
            do {
                objects = try TLV.objects(in: data, for: tags, of: dictionary)
            } catch {
                throw NoValue(cause: .answer, reason: "the answer is no TLV (\(error))")
            }
            guard let object = tags?.first(in: objects) else {
                throw NoValue(
                    cause: .answer,
                    reason: "the answer \(MismatchText.short(data)) has no such tag"
                )
            }
            return .bytes(object.value)
        case .field(let name):
            guard let value = observation.fields[name] else {
                // Without an exchange there is no answer to lack it.
                throw NoValue(
                    cause: observation.exchanges.isEmpty ? .path : .answer,
                    reason: "the result has no '\(name)'"
                )
            }
            return value
        }
    }

    private static func answer(_ observation: Observation) throws(NoValue) -> ResponseAPDU {
        guard let last = observation.last else {
            throw NoValue(cause: .path, reason: "no command was answered")
        }
        return last
    }

    private static func value(of part: Part, in value: Value) throws(NoValue) -> Value {
        switch (part, value) {
        case (.key(let key), .map(let entries)):
            guard let value = entries[key] else {
                throw NoValue(cause: .answer, reason: "there is no '\(key)'")
            }
            return value
        case (.index(let index), .list(let values)):
            guard index < values.count else { throw tooFew(values.count, "element", index) }
            return values[index]
        case (.index(let index), .bytes(let bytes)):
            guard index < bytes.count else { throw tooFew(bytes.count, "byte", index) }
            return .bytes([bytes[index]])
        case (.range(let low, let high), .bytes(let bytes)):
            let end = high ?? bytes.count
            guard low <= end, end <= bytes.count else {
                throw tooFew(bytes.count, "byte", high.map { $0 - 1 } ?? low)
            }
            return .bytes(Array(bytes[low..<end]))
        case (.range(let low, let high), .list(let values)):
            let end = high ?? values.count
            guard low <= end, end <= values.count else {
                throw tooFew(values.count, "element", high.map { $0 - 1 } ?? low)
            }
            return .list(Array(values[low..<end]))
        case (.type(let type), .list(let values)):
            guard let record = NDEFCheck.record(type, in: values) else {
                throw NoValue(cause: .answer, reason: "there is no record of type \(type)")
            }
            return record
        default:
            throw NoValue(cause: .path, reason: "it asks too much of \(value.kindName)")
        }
    }

    private static func tooFew(_ count: Int, _ what: String, _ index: Int) -> NoValue {
        let there = "there \(count == 1 ? "is" : "are") \(Amount.text(count, what))"
        return NoValue(cause: .answer, reason: "\(there), none at \(index), counted from 0")
    }
}
