import Foundation

/// A copy of a store with its logs and its support folder, in a temporary folder.
struct StoreCopy {
    let url: URL
    private let folder: URL

    init(of store: URL) throws {
        let files = FileManager.default
        folder = files.temporaryDirectory.appendingPathComponent("acceptance-" + UUID().uuidString, isDirectory: true)
        try files.createDirectory(at: folder, withIntermediateDirectories: true)
        url = folder.appendingPathComponent(store.lastPathComponent)
        let source = store.deletingLastPathComponent()
        let name = store.lastPathComponent
        let support = "." + store.deletingPathExtension().lastPathComponent + "_SUPPORT"
        for part in [name, name + "-wal", name + "-shm", support] {
            let path = source.appendingPathComponent(part)
            guard files.fileExists(atPath: path.path) else { continue }
            try files.copyItem(at: path, to: folder.appendingPathComponent(part))
        }
    }

    func remove() {
        try? FileManager.default.removeItem(at: folder)
    }
}
