// SPDX-License-Identifier: MIT

import NBT
import NBTConstants
import SmartCard

/// What a conversation may be about; the first byte of an input chooses.
///
/// New ones go to the end, or the corpus loses its sense.
let work: [@Sendable (NBTCommandSet) throws -> Void] = [
    {
        _ = try $0.version()
        _ = try $0.availableMemory()
    },
    { _ = try $0.read(.file1, length: 600) },
    { try $0.update(.file2, data: [UInt8](repeating: 9, count: 300)) },
    { try $0.apply(FileAccessTable(bytes: AccessProfile.brandProtection)) },
    {
        try $0.select(.file1, readPassword: value, writePassword: value)
        _ = try $0.read(length: 16)
    },
    {
        try $0.selectConfigurator()
        _ = try $0.configuration(.interfaces)
        _ = try $0.configuration(GPIOFunction.self)
        try $0.setConfiguration(Interfaces.self.allCases[0])
    },
    { _ = try $0.readAccessTable(masterPassword: value) },
    { _ = try $0.readMessage() },
    { _ = try $0.readNDEF(password: value, largestRead: 16) },
    { try $0.writeNDEF([UInt8](repeating: 3, count: 700)) },
    { _ = try $0.authenticateTag(challenge: value) },
    { _ = try $0.backendTest() },
    { try $0.install(FileAccessTable(bytes: AccessProfile.passThrough), masterPassword: value) },
    { try $0.resetToDelivery() },
    { _ = try $0.proveGenuine(challenge: value) },
    { set in
        let request = try set.fetchData()
        try set.putResponse(ResponseAPDU(bytes: (request.command ?? []) + [0x90, 0x00]))
    },
    { set in
        try set.createPassword(NBTPassword(id: 1, value: value, response: [1, 2], tries: 5))
        try set.changePassword(1, to: value)
        try set.unblockPassword(1, masterPassword: value)
        try set.deletePassword(1)
    },
    { set in
        let example = DataTransferExample(set)
        try example.request(.on)
        _ = try example.state()
    },
    { try PassThroughExample($0).setLED(on: true) },
    { set in
        try set.personalize(file: .file1, content: [UInt8](repeating: 5, count: 100))
        try set.finalizePersonalization()
    },
]

private let value: [UInt8] = [1, 2, 3, 4]
