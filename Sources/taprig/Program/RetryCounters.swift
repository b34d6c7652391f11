// SPDX-License-Identifier: MIT

import Bench
import CardConnection
import HostSystem

/// The retry counters of samples, kept from run to run.
struct RetryCounters {
    /// The counters.
    let ledger: RetryLedger
    private let file: RetryLedgerFile?

    /// Opens the file where real cards are at stake; emulators are made anew for each case.
    ///
    /// - Parameters:
    ///   - isEmulated: Whether no card is real.
    ///   - named: The file that the bench names; nil takes that of the environment, else the host's.
    /// - Throws: A failure of the rig when the file cannot be used.
    init(isEmulated: Bool, named: String? = nil) throws(CommandFailure) {
        guard !isEmulated else {
            ledger = RetryLedger()
            file = nil
            return
        }
        do throws(RetryLedgerError) {
            if let path = named ?? HostEnvironment.value("TAPRIG_LEDGER"), !path.isEmpty {
                (ledger, file) = try RetryLedgerFile.open(path)
            } else {
                (ledger, file) = try RetryLedgerFile.openForHost()
            }
        } catch {
            throw .rig("\(error)")
        }
    }

    /// What the report has to say of them.
    var notes: [String] { file?.trouble.map { ["retry counters were not kept: \($0)"] } ?? [] }
}
