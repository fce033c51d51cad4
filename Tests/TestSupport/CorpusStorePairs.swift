import Foundation

/// The migrations that the corpus' list of stores calls inferable.
public enum CorpusStorePairs {
    public struct Pair: Sendable, CustomStringConvertible {
        /// The row of the list.
        public let number: Int

        /// The store, below the corpus' folder of stores.
        public let store: String

        /// The `contents` files of the version that the store has and of the newest one, in the bundles that may be
        /// meant: a repository's history has several.
        public let candidates: [(source: String, destination: String)]

        public var source: String { candidates.first?.source ?? "" }
        public var destination: String { candidates.first?.destination ?? "" }

        /// The store's path; empty if there is no corpus.
        public var path: String { (Corpus.path.map { $0 + "/3_stores/" } ?? "") + store }
        public var description: String { "\(number) \(store)" }
    }

    /// One pair per row of the list that names versions of source models.
    public static let all: [Pair] = {
        guard let path = Corpus.path, let text = try? String(contentsOfFile: path + "/PAIRS.md", encoding: .utf8) else {
            return []
        }
        let files = Corpus.files(under: "1_models") { $0 == "contents" }
        return text.components(separatedBy: "\n").compactMap { line in
            // | # | store | rows | framework | source version | newest | mapping models | what inference would do |
            let cells = line.components(separatedBy: " | ")
            guard cells.count >= 8, cells[7].hasPrefix("inferable"), let store = quoted(cells[1]),
                let number = Int(cells[0].drop { !$0.isNumber }), let old = quoted(cells[4]), let new = quoted(cells[5])
            else { return nil }
            let parts = store.components(separatedBy: "/")
            guard parts.count > 1 else { return nil }
            let known = files.filter { $0.contains("/1_models/\(parts[0])/") }
            let candidates = known.filter { $0.hasSuffix("/\(old).xcdatamodel/contents") }.compactMap { source in
                let bundle = source.components(separatedBy: "/").dropLast(2).joined(separator: "/")
                let destination = "\(bundle)/\(new).xcdatamodel/contents"
                return known.contains(destination) ? (source: source, destination: destination) : nil
            }
            // A store from a repository's history goes with the models of the same commit, the others with the newest.
            func rank(_ path: String) -> Int {
                path.contains("/\(parts[1])/") ? 0 : path.contains("/HISTORY") ? 2 : 1
            }
            guard !candidates.isEmpty else { return nil }
            return Pair(
                number: number, store: store,
                candidates: candidates.enumerated().sorted {
                    (rank($0.element.source), $0.offset) < (rank($1.element.source), $1.offset)
                }.map(\.element))
        }
    }()

    /// The text between the first two backquotes.
    private static func quoted(_ cell: String) -> String? {
        let parts = cell.components(separatedBy: "`")
        return parts.count >= 3 ? parts[1] : nil
    }
}
