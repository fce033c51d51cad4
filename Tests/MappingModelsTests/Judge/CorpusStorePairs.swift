import Foundation
import TestSupport

/// The migrations that the corpus' list of stores calls inferable.
enum CorpusStorePairs {
    struct Pair: Sendable, CustomStringConvertible {
        /// The store, below the corpus' folder of stores.
        let store: String
        /// The `contents` files of the version that the store has, and of the newest one.
        let source: String
        let destination: String
        var description: String { store }
    }

    /// One pair per row of the list that names versions of source models.
    static let all: [Pair] = {
        guard let path = Corpus.path, let text = try? String(contentsOfFile: path + "/PAIRS.md", encoding: .utf8) else {
            return []
        }
        let files = Corpus.files(under: "1_models") { $0 == "contents" }
        return text.components(separatedBy: "\n").compactMap { line in
            // | # | store | rows | framework | source version | newest | mapping models | what inference would do |
            let cells = line.components(separatedBy: " | ")
            guard cells.count >= 8, cells[7].hasPrefix("inferable"), let store = quoted(cells[1]),
                let old = quoted(cells[4]), let new = quoted(cells[5]),
                let repository = store.components(separatedBy: "/").first
            else { return nil }
            let known = files.filter { $0.contains("/1_models/\(repository)/") }
            // A repository's history may hold several bundles: the pair is within the newest one that has both.
            let candidates = known.filter { $0.hasSuffix("/\(old).xcdatamodel/contents") }.compactMap { source in
                let bundle = source.components(separatedBy: "/").dropLast(2).joined(separator: "/")
                let destination = "\(bundle)/\(new).xcdatamodel/contents"
                return known.contains(destination) ? Pair(store: store, source: source, destination: destination) : nil
            }
            return candidates.first { !$0.source.contains("/HISTORY") } ?? candidates.first
        }
    }()

    /// The text between the first two backquotes.
    private static func quoted(_ cell: String) -> String? {
        let parts = cell.components(separatedBy: "`")
        return parts.count >= 3 ? parts[1] : nil
    }
}
