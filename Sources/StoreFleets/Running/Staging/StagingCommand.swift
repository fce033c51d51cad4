import ChildProcesses
import Glibc
import PersistentStores
import SQLiteAccess

/// A command of the shell that brings a store to this machine, or takes it back.
///
/// `{}` stands for the store's name as it was planned, `{/}` for the last part of it, and `{//}` for what is in front
/// of that; each is quoted. The command runs in the folder that the store is in, or is to come to.
public struct StagingCommand: Sendable, Hashable {
    /// The command as it was given.
    public let text: String

    /// How much is kept of what a command says that fails, in bytes.
    var messageBytes = 1000

    /// Makes a command of its text; nil if the text is empty or does not name the store.
    public init?(_ text: String) {
        guard ["{}", "{/}", "{//}"].contains(where: text.contains), !text.utf8.contains(0) else { return nil }
        self.text = text
    }

    /// What the shell is given for a store.
    func command(for name: String) -> String {
        let folder = FileSystem.directory(of: name)
        return text.replacing("{//}", with: Self.quoted(folder)).replacing("{/}", with: Self.quoted(Self.file(name)))
            .replacing("{}", with: Self.quoted(name))
    }

    /// The name of the store's file on this machine.
    static func file(_ name: String) -> String { FileSystem.name(of: name) }

    private static func quoted(_ text: String) -> String {
        "'" + text.replacing("'", with: "'\\''") + "'"
    }

    /// Runs the command for a store.
    ///
    /// - Parameters:
    ///   - reason: what the store's row says where it fails.
    ///   - folder: the working directory.
    /// - Throws: `StoreFailure`, which may pass; `CancellationError`.
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
        // One more shows whether it is all.
        let said = (try? FileBytes.beginning(of: log, count: messageBytes + 1)) ?? []
        throw StoreFailure(
            reason, "\(name): \(text) \(Self.sentence(process.ending)): \(message(said))", isTemporary: true)
    }

    /// How often a run looks whether it was asked to end, in milliseconds.
    private static let patience = 100

    /// The beginning of a text, with `…` where it was cut; no character is cut in two.
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
