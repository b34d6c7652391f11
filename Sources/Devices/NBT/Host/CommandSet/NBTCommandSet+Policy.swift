// SPDX-License-Identifier: MIT

import NBTConstants

extension NBTCommandSet {
    /// Reads the access policy of all files.
    ///
    /// - Parameter masterPassword: The password that rules the policy's own file, 4 bytes; nil when none does.
    /// - Returns: The policy.
    /// - Throws: ``NBTError``.
    public func readAccessTable(masterPassword: [UInt8]? = nil) throws(NBTError) -> FileAccessTable {
        try select(.accessPolicy, readPassword: masterPassword, expectsAnswer: true)
        return try NBTResponseParser.accessTable(try read(length: AccessPolicyLayout.tableSize))
    }

    /// Changes the access policy of one file.
    ///
    /// - Parameters:
    ///   - policy: The new record; the chip finds its place by the file's identifier.
    ///   - masterPassword: The password that rules the policy's own file, 4 bytes; nil when none does.
    /// - Throws: ``NBTError``.
    public func write(_ policy: FileAccessPolicy, masterPassword: [UInt8]? = nil) throws(NBTError) {
        try select(.accessPolicy, writePassword: masterPassword, expectsAnswer: true)
        try perform(try NBTCommandBuilder.updatePolicy(policy))
    }

    /// Changes the records that differ from a table, and only those.
    ///
    /// - Parameters:
    ///   - table: The wanted policy.
    ///   - masterPassword: The password that rules the policy's own file, 4 bytes; nil when none does.
    /// - Returns: The records that were written.
    /// - Throws: ``NBTError``.
    @discardableResult
    public func apply(
        _ table: FileAccessTable,
        masterPassword: [UInt8]? = nil
    ) throws(NBTError) -> [FileAccessPolicy] {
        let current = try readAccessTable(masterPassword: masterPassword)
        let changed = table.policies.filter { current[$0.file] != $0 }
        // The record of the policy file itself comes last: it may close the door for the others.
        let ordered =
            changed.filter { $0.file != .accessPolicy } + changed.filter { $0.file == .accessPolicy }
        for policy in ordered { try write(policy, masterPassword: masterPassword) }
        return ordered
    }

    /// Rewrites the container's entries of the proprietary files, so that they say what a policy says.
    ///
    /// Nobody may write the container as delivered, so its own record is opened for the time of the write, to the
    /// interface that the commands go over.
    /// - Parameters:
    ///   - table: The policy to tell of.
    ///   - masterPassword: The password that rules the policy's own file, 4 bytes; nil when none does.
    /// - Throws: ``NBTError``; the record is closed again whatever happens, as far as the chip lets it.
    public func updateContainer(
        for table: FileAccessTable,
        masterPassword: [UInt8]? = nil
    ) throws(NBTError) {
        var open = FileAccessPolicy(
            file: .capabilityContainer,
            i2cRead: .always,
            i2cWrite: isI2C ? .always : .never,
            nfcRead: .always,
            nfcWrite: isI2C ? .never : .always
        )
        try write(open, masterPassword: masterPassword)
        open.i2cWrite = .never
        open.nfcWrite = .never
        do throws(NBTError) {
            try update(
                .capabilityContainer,
                offset: ContainerTail.offset,
                data: ContainerTail.bytes(for: table)
            )
        } catch {
            // What went wrong first is what the caller has to hear.
            try? write(open, masterPassword: masterPassword)
            throw error
        }
        try write(open, masterPassword: masterPassword)
    }

    /// Installs a policy as the vendor's personalization apps do: the container first, then each record.
    ///
    /// - Parameters:
    ///   - table: The wanted policy.
    ///   - masterPassword: The password that rules the policy's own file, 4 bytes; nil when none does.
    /// - Throws: ``NBTError``.
    public func install(_ table: FileAccessTable, masterPassword: [UInt8]? = nil) throws(NBTError) {
        try updateContainer(for: table, masterPassword: masterPassword)
        // The apps write the policy file's record third. One that closes the file would lock the others out.
        let own = table[.accessPolicy]
        let staysOpen = own?.nfcWrite == .always && own?.i2cWrite == .always
        let order: [NBTFile] =
            staysOpen
            ? [.capabilityContainer, .ndef, .accessPolicy, .file1, .file2, .file3, .file4]
            : [.capabilityContainer, .ndef, .file1, .file2, .file3, .file4, .accessPolicy]
        for file in order {
            if let policy = table[file] { try write(policy, masterPassword: masterPassword) }
        }
    }

    /// Puts policy, container and NDEF file back as delivered, as the vendor's personalization apps do.
    ///
    /// Keys, passwords and the proprietary files stay as they are; there is no command that clears them all.
    /// - Parameter masterPassword: The password that rules the policy's own file, 4 bytes; nil when none does. It no longer
    ///   does afterwards.
    /// - Throws: ``NBTError``.
    public func resetToDelivery(masterPassword: [UInt8]? = nil) throws(NBTError) {
        try install(UseCase.delivery.accessTable, masterPassword: masterPassword)
        try writeNDEF([UInt8](repeating: 0, count: Self.resetSize), order: .lengthFirst)
        try update(.ndef, data: [0, 0])
    }

    /// How much of the NDEF file the apps overwrite.
    private static let resetSize = 850
}
