import Glibc
import PersistentStores
import SQLiteAccess

/// Where an import writes rejected records: the folder of `--rejects`, or for `-` one of its own, of which only the log
/// of the reasons is wanted, on standard output.
struct RejectsPlace {
    /// The folder; nil for none.
    let directory: String?
    /// Gone with the last copy of this value.
    private let own: TemporaryFolder?

    init(_ path: String?) throws(FileError) {
        do {
            own = path == CommandOutput.standard ? try TemporaryFolder(kind: "ferry-rejects-") : nil
        } catch {
            throw FileError(.write, error.parent, number: error.number)
        }
        directory = own?.path ?? path
    }

    /// Writes the log, where it belongs on standard output: an import that has failed has one too.
    func finish() throws {
        guard let own else { return }
        let log = own.path + "/rejects.ndjson"
        // Without rejected records there is none.
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
            // A reader that has seen enough is not a failure.
        }
    }
}
