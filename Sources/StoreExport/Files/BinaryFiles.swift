import PersistentStores
import Synchronization

/// Binary data in files of their own, beside the files that name them; none is replaced.
final class BinaryFiles: Sendable {
    private struct State {
        /// The folder of the exported files.
        var parent = "."
        var isUsed = false
        var created: [String] = []
    }

    private let state = Mutex(State())

    /// Whether some of the columns name such files.
    var isUsed: Bool { state.withLock { $0.isUsed } }

    /// Says where the files that are written next are.
    func begin(in parent: String) { state.withLock { $0.parent = parent } }

    /// Takes data for a folder, which is relative to the exported files or absolute: gives the name of a new file, as bytes.
    func writer(to folder: String) -> @Sendable ([UInt8], String) throws -> [UInt8] {
        state.withLock { $0.isUsed = true }
        return { [self] bytes, name in
            let parent = state.withLock { $0.parent }
            let place = folder.hasPrefix("/") ? folder : folder.isEmpty ? parent : parent + "/" + folder
            if !FileSystem.exists(place) { try FileSystem.createDirectory(place) }
            let file = try StreamedFile(place + "/" + name)
            try file.write(bytes)
            try file.finish()
            state.withLock { $0.created.append(place + "/" + name) }
            return Array(name.utf8)
        }
    }

    /// Takes away all that was written.
    func discard() {
        state.withLock { state in
            for path in state.created { try? FileSystem.remove(path) }
            state.created = []
        }
    }
}
