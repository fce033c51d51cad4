import PersistentStores
import Synchronization

/// Writes binary data to files beside the exported files that name them. Existing files are never replaced.
final class BinaryFiles: Sendable {
    private struct State {
        /// The folder of the exported files.
        var parent = "."
        /// The folder in which the exported files are written until they get their names.
        var staging: String?
        var isUsed = false
        var created: [String] = []
    }

    private let state = Mutex(State())

    /// Whether columns name such files.
    var isUsed: Bool { state.withLock { $0.isUsed } }

    /// Sets the folder of the files that are written next, and the folder in which they are staged.
    func begin(in parent: String, stagedIn staging: String?) {
        state.withLock { ($0.parent, $0.staging) = (parent, staging) }
    }

    /// Returns a closure that writes data to a new file in a folder, which is absolute or relative to the exported
    /// files. The closure returns the name of the file as bytes.
    func writer(to folder: String) -> @Sendable ([UInt8], String) throws -> [UInt8] {
        state.withLock { $0.isUsed = true }
        return { [self] bytes, name in
            let (parent, staging) = state.withLock { ($0.parent, $0.staging) }
            // Files elsewhere are not staged together with the exported files.
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

    /// Removes all files that were written.
    func discard() {
        state.withLock { state in
            for path in state.created { try? FileSystem.remove(path) }
            state.created = []
        }
    }
}
