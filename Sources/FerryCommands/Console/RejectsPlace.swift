import Glibc
import PersistentStores
import SQLiteAccess

/// The place for the rejected records of an import: the folder of `--rejects`; for `-`, a temporary folder, of which
/// only the log of the reasons is written to standard output.
struct RejectsPlace {
    /// The folder; nil if there is none.
    let directory: String?
    /// The temporary folder, which is removed with the last copy of this value.
    private let own: TemporaryFolder?

    init(_ path: String?) throws(FileError) {
        do {
            own = path == CommandOutput.standard ? try TemporaryFolder(kind: "ferry-rejects-") : nil
        } catch {
            throw FileError(.write, error.parent, number: error.number)
        }
        directory = own?.path ?? path
    }

    /// Writes the log to standard output if required. An import that failed has a log too.
    func finish() throws {
        guard let own else { return }
        let log = own.path + "/rejects.ndjson"
        // Without rejected records, there is no log.
        guard FileSystem.isThere(log) else { return }
        let descriptor = open(log, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw FileError(.read, log) }
        defer { close(descriptor) }
        do {
            try DescriptorContent(descriptor, path: log).forEachBlock(of: 1 << 16) { block in
                try StandardOutput.write(Array(block))
                return true
            }
        } catch is StandardOutput.Closed {
            // It is not an error if the reader stops reading.
        }
    }
}
