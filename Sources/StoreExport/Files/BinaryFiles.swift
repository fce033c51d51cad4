import PersistentStores
import Synchronization

/// Binary data in files of their own, beside the files that name them; none is replaced.
final class BinaryFiles: Sendable {
    private struct State {
        /// The folder of the exported files.
        var parent = "."
        /// Where those are made until they get their names.
        var staging: String?
        var isUsed = false
        var created: [String] = []
    }

    private let state = Mutex(State())

    /// Whether some of the columns name such files.
    var isUsed: Bool { state.withLock { $0.isUsed } }

    /// Says where the files that are written next will be, and where they are made until then.
    func begin(in parent: String, stagedIn staging: String?) {
        state.withLock { ($0.parent, $0.staging) = (parent, staging) }
    }

    /// Takes data for a folder, which is relative to the exported files or absolute: gives the name of a new file, as bytes.
    func writer(to folder: String) -> @Sendable ([UInt8], String) throws -> [UInt8] {
        state.withLock { $0.isUsed = true }
        return { [self] bytes, name in
            let (parent, staging) = state.withLock { ($0.parent, $0.staging) }
            // What lies elsewhere is not part of what gets its place in the end.
            let isElsewhere = folder.hasPrefix("/") || folder.split(separator: "/").contains("..")
            if let staging, !isElsewhere {
                let place = folder.isEmpty ? staging : staging + "/" + folder
                try FileSystem.createDirectory(place)
                let file = try NewFile(place + "/" + name)
                try file.write(bytes)
                return Array(name.utf8)
            }
            let place = folder.hasPrefix("/") ? folder : folder.isEmpty ? parent : parent + "/" + folder
            try FileSystem.createDirectory(place)
            try FileSystem.writeOutput(bytes, to: place + "/" + name, replacing: false)
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
