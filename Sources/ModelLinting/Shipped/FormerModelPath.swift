/// Finds the former path of models in a revision that has none at their current path, because they, or a parent folder,
/// have been moved or renamed since.
struct FormerModelPath {
    /// The path in the repository; nil if no path matches, or several match equally well.
    let path: String?

    /// The paths of models in the revision, for a message.
    let candidates: [String]

    /// - Parameters:
    ///   - path: the current path of the models in the repository.
    ///   - files: their current files: object identifiers by paths below the models.
    ///   - tree: all files of models in the revision.
    init(of path: String, files: [String: String], among tree: [(path: String, object: String)]) {
        let name = Self.name(of: path)
        var scores: [String: Int] = [:]
        for (place, object) in tree {
            for (file, id) in files where place == file || place.hasSuffix("/" + file) {
                let base = String(place.dropLast(file.count + 1))
                // Equal content is stronger evidence than equal names.
                scores[base, default: 0] += id == object ? 1000 : file.contains("/") ? 1 : 0
            }
        }
        for base in scores.keys where Self.name(of: base) == name { scores[base, default: 0] += 100 }
        let best = scores.values.max() ?? 0
        let found = scores.filter { $0.value == best }.map(\.key)
        self.path = best > 0 && found.count == 1 ? found[0] : nil
        candidates = Set(tree.map { Self.folder(of: $0.path) }).sorted()
    }

    /// Returns the last component of a path.
    private static func name(of path: String) -> Substring {
        path.split(separator: "/").last ?? ""
    }

    /// Returns a path without its last component.
    static func folder(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "" }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }
}
