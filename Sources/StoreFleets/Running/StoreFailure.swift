import ChildProcesses
import DocumentReading
import Glibc
import ManagedObjectModels
import PersistentStores
import SQLiteAccess
import StoreConversion
import StoreExport
import StoreFetching
import StoreMigration
import StoreVerification

/// The reason why a store of a fleet is not done: a code for grouping, and the sentence that a command would print.
struct StoreFailure: Error, Sendable, Hashable {
    /// The reason if something exists at the path of a store's output.
    static let taken = "destination-taken"

    let reason: String
    let message: String

    /// Whether another run may succeed.
    let isTemporary: Bool

    init(_ reason: String, _ message: String, isTemporary: Bool = false) {
        (self.reason, self.message, self.isTemporary) = (reason, message, isTemporary)
    }

    /// Returns the failure with the store's known name instead of its path.
    func naming(_ name: String, insteadOf path: String) -> StoreFailure {
        StoreFailure(reason, message.replacing(path, with: name), isTemporary: isTemporary)
    }

    /// Returns the failure as a temporary one if the server of the store's file does not answer: SQLite reports only
    /// that a call has failed.
    func asking(_ path: String) -> StoreFailure {
        guard !isTemporary else { return self }
        do throws(StoreError) {
            _ = try FileBytes.beginning(of: path, count: 1)
        } catch {
            if case .file(let file) = error.code, Self.isUnreachable(file) {
                return StoreFailure("unreachable", message, isTemporary: true)
            }
        }
        return self
    }

    /// Makes the failure for findings that refuse an operation; nil if none does.
    init?(_ findings: [MigrationFinding], path: String) {
        guard let worst = findings.first(where: { $0.severity == .error }) else { return nil }
        self.init(worst.code, MigrationError(.refused(findings), path: path).description)
    }

    init(_ error: any Error) {
        switch error {
        case let error as StoreFailure:
            self = error
        case let error as SQLiteError:
            self.init(StoreError(error, path: error.path ?? ""))
        case let error as StoreError:
            self.init(Self.reason(of: error.code), error.description, isTemporary: Self.isTemporary(error))
        case let error as MigrationError:
            self.init(Self.reason(of: error.code), error.description, isTemporary: error.isTemporary)
        case let error as FileError:
            let error = StoreError(error)
            self.init(Self.reason(of: error.code), error.description, isTemporary: Self.isTemporary(error))
        case is ConversionError: self.init("conversion", "\(error)")
        case let error as RepairError: self.init("repair", error.description)
        case is ChainError: self.init("chain", "\(error)")
        case is ModelError: self.init("model", "\(error)")
        case is DocumentErrors: self.init("mapping-model", "\(error)")
        case is FetchError, is ExportError: self.init("export", "\(error)")
        case let error as ChildProcessError: self.init("command", error.description, isTemporary: true)
        default: self.init("failed", "\(error)")
        }
    }

    /// Returns whether an error is temporary, for example because a server does not answer at the moment.
    private static func isTemporary(_ error: StoreError) -> Bool {
        if case .file(let file) = error.code { return isUnreachable(file) }
        return error.isTemporary
    }

    private static func isUnreachable(_ error: FileError) -> Bool {
        [ESTALE, ETIMEDOUT, EHOSTDOWN, EHOSTUNREACH, ENOTCONN, EMFILE, ENFILE].contains(error.number)
    }

    private static func reason(of code: StoreError.Code) -> String {
        switch code {
        case .missing, .folderMissing: "missing"
        case .empty, .truncated, .corrupt, .unreadable, .metadataUnreadable: "damaged"
        case .isDirectory, .notAFolder, .notADatabase, .notACoreDataStore, .notAStore: "not-a-store"
        case .locked, .busyStaging: "locked"
        case .importInterrupted: "import-interrupted"
        case .locksUnavailable: "locks-unavailable"
        case .changed: "changed"
        case .noSpace, .fileSizeLimit: "no-space"
        case .readOnly: "read-only"
        case .exists, .sameStore, .sharedExternalData: taken
        case .file(let error): error.isMissing ? "missing" : isUnreachable(error) ? "unreachable" : "file"
        case .cannotOpen: "cannot-open"
        case .noHistory, .historyExpired, .historyOfAnotherStore, .historyMirrored, .noEntity: "history"
        case .metadataUnwritable, .database, .tooManyColumns, .sharedTable: "database"
        }
    }

    private static func reason(of code: MigrationError.Code) -> String {
        switch code {
        case .refused(let findings), .stepRefused(_, let findings), .invalid(let findings):
            findings.first { $0.severity == .error }?.code ?? "refused"
        case .unknownVersion: "unknown-version"
        case .changedMeanwhile: "changed"
        case .externalRecordMissing, .externalRecordTooLarge, .externalValueMalformed: "external-data"
        case .verificationFailed: "verification"
        case .constraint: "constraint"
        case .policy: "policy"
        case .cancelled: "cancelled"
        case .resumeRefused, .unknownConfiguration, .openConfiguration, .step, .cannotBuild: "migration"
        }
    }
}
