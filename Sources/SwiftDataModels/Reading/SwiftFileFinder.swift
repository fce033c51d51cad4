import DocumentReading
import ManagedObjectModels

/// Finds the Swift files at a path, and their modules.
struct SwiftFileFinder {
    private(set) var files: [SwiftDeclarations.File] = []
    private(set) var warnings: [ModelWarning] = []
    private var known: Set<String> = []
    private var excluded: Set<FileIdentity> = []

    /// Folders that do not contain sources of the app itself.
    private static let skipped: Set<String> = ["Pods", "Carthage", "DerivedData", "node_modules", "Tests"]

    /// - Parameter excluded: the paths of excluded files and folders.
    init(excluding excluded: [String] = []) throws(ModelError) {
        for path in excluded {
            guard let identity = FileIdentity(path: path) else {
                throw ModelError(.unreadable("there is no such file or folder to leave out"), path: path)
            }
            self.excluded.insert(identity)
        }
    }

    mutating func search(_ root: String) throws(ModelError) {
        guard let kind = FileKind(path: root) else {
            throw ModelError(.unreadable("there is no such file or folder"), path: root)
        }
        guard !isExcluded(root) else { return }
        guard kind == .folder else { return add(.init(path: root, module: Self.module(of: root, below: ""))) }
        var folders = [root]
        while let folder = folders.popLast() {
            let entries: [FolderListing.Entry]
            do throws(DocumentError) {
                entries = try FolderListing(path: folder).entries.sorted { $0.name < $1.name }
            } catch {
                if folder == root { throw ModelError(.unreadable(error.sentence), path: folder) }
                warnings.append(ModelWarning(.unreadableFolder(error.sentence), path: folder))
                continue
            }
            for entry in entries where !entry.name.hasPrefix(".") {
                let path = folder + "/" + entry.name
                switch entry.kind {
                case .folder where !Self.isSkipped(entry.name) && !isExcluded(path): folders.append(path)
                case .file where entry.name.hasSuffix(".swift") && !isExcluded(path):
                    add(.init(path: path, module: Self.module(of: path, below: root)))
                default: break
                }
            }
        }
    }

    /// Adds a file, unless it was already added: a file may be given directly and by its folder.
    private mutating func add(_ file: SwiftDeclarations.File) {
        if known.insert(file.path).inserted { files.append(file) }
    }

    private func isExcluded(_ path: String) -> Bool {
        guard !excluded.isEmpty, let identity = FileIdentity(path: path) else { return false }
        return excluded.contains(identity)
    }

    /// Returns whether a folder is skipped: tests declare models of their own, which are not part of the app.
    private static func isSkipped(_ name: String) -> Bool {
        skipped.contains(name) || name.hasSuffix("Tests") || name.hasSuffix(".xcdatamodeld")
            || name.hasSuffix(".xcassets")
    }

    /// Returns the folder below `Sources`, as in a package, otherwise the root itself.
    private static func module(of path: String, below root: String) -> String {
        let parts = path.dropFirst(root.count).split(separator: "/")
        guard let sources = parts.lastIndex(of: "Sources"), sources + 2 < parts.count else { return "" }
        return String(parts[sources + 1])
    }
}
