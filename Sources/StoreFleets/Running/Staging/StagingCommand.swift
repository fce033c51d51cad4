import ChildProcesses
import Glibc
import PersistentStores
import SQLiteAccess

/// A shell command that fetches a store to this machine, or takes it back.
///
/// `{}` is replaced by the store's name in the plan, `{/}` by its last component, and `{//}` by the components before;
/// each is quoted. The command runs in the folder for the local copy of the store.
public struct StagingCommand: Sendable, Hashable {
    /// The text of the command.
    public let text: String

    /// The maximum number of bytes that are kept of a failed command's output.
    var messageBytes = 1000

    /// Makes a command from its text; nil if the text is empty or does not name the store.
    public init?(_ text: String) {
        guard ["{}", "{/}", "{//}"].contains(where: text.contains), !text.utf8.contains(0) else { return nil }
        self.text = text
    }

    /// Returns the text that is passed to the shell for a store.
    func command(for name: String) -> String {
        let folder = FileSystem.directory(of: name)
        return text.replacing("{//}", with: Self.quoted(folder)).replacing("{/}", with: Self.quoted(Self.file(name)))
            .replacing("{}", with: Self.quoted(name))
    }

    /// Returns the name of the store's file on this machine.
    static func file(_ name: String) -> String { FileSystem.name(of: name) }

    private static func quoted(_ text: String) -> String {
        "'" + text.replacing("'", with: "'\\''") + "'"
    }

    /// Runs the command for a store.
    ///
    /// - Parameters:
    ///   - reason: the reason in the store's row if the command fails.
    ///   - folder: the working directory.
    /// - Throws: a temporary `StoreFailure`; `CancellationError`.
    func run(
        for name: String, in folder: String, reason: String, isCancelled: (@Sendable () -> Bool)?
    ) throws {
        let errors = try TemporaryFolder(kind: "ferry-staging-")
        let log = errors.path + "/errors"
        let descriptor = open(log, O_WRONLY | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw StoreError(FileError(.create, log)) }
        defer { close(descriptor) }
        let process = try ChildProcess(
            ["/bin/sh", "-c", command(for: name)], in: folder, errors: .descriptor(descriptor))
        while !process.wait(milliseconds: Self.patience) {
            guard isCancelled?() ?? false else { continue }
            process.send(SIGTERM)
            _ = process.wait(milliseconds: 10 * Self.patience)
            throw CancellationError()
        }
        guard process.ending != .exited(status: 0) else { return }
        // One more byte shows whether the output is longer.
        let said = (try? FileBytes.beginning(of: log, count: messageBytes + 1)) ?? []
        throw StoreFailure(
            reason, "\(name): \(text) \(Self.sentence(process.ending)): \(message(said))", isTemporary: true)
    }

    /// The interval at which a run checks for cancellation, in milliseconds.
    private static let patience = 100

    /// Returns the beginning of a text, with `…` if it was truncated; characters are not split.
    private func message(_ bytes: [UInt8]) -> String {
        guard bytes.count > messageBytes else { return String(decoding: bytes, as: UTF8.self) }
        var end = messageBytes
        while end > 0, bytes[end] & 0xC0 == 0x80 { end -= 1 }
        return String(decoding: bytes[..<end], as: UTF8.self) + "…"
    }

    private static func sentence(_ ending: ChildProcess.Ending?) -> String {
        switch ending {
        case .exited(let status): "ended with status \(status)"
        case .killed(let signal): "was ended by signal \(signal)"
        case nil: "did not end"
        }
    }
}
