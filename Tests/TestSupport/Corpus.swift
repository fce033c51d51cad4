import Foundation

/// The real models, stores and data files that some tests read in place; they are not part of the project.
public enum Corpus {
    /// The folder that `FERRY_CORPUS` names, else `../shared/corpus` beside the project; nil if neither exists.
    public static let path: String? = {
        let named = TestSettings.value("FERRY_CORPUS")
        let beside = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("shared/corpus").path
        return [named, beside].compactMap { $0 }.first { FileManager.default.fileExists(atPath: $0) }
    }()

    public static var isPresent: Bool { path != nil }

    /// All files below a folder of the corpus whose name satisfies a condition, sorted by path.
    public static func files(under folder: String, where accepts: (String) -> Bool) -> [String] {
        guard let path, let walker = FileManager.default.enumerator(atPath: path + "/" + folder) else { return [] }
        return walker.compactMap { $0 as? String }
            .filter { accepts(($0 as NSString).lastPathComponent) }
            .map { path + "/" + folder + "/" + $0 }
            .sorted()
    }
}
