import Foundation
import TestSupport

/// The model versions of the corpus that belong together.
enum CorpusVersions {
    /// The `contents` files of each `.xcdatamodeld` that has several versions, in the order that people count in.
    static let bundles: [[String]] = {
        let files = Corpus.files(under: "1_models") { $0 == "contents" }
        let grouped = Dictionary(grouping: files) { file in
            file.components(separatedBy: ".xcdatamodeld/").dropLast().joined(separator: ".xcdatamodeld/")
        }
        return grouped.filter { !$0.key.isEmpty && $0.value.count > 1 }.sorted { $0.key < $1.key }.map { bundle in
            bundle.value.sorted { $0.compare($1, options: .numeric) == .orderedAscending }
        }
    }()

    /// Ordered pairs: all of small bundles; of large ones the next, and every version with one that is far off.
    static func pairs(of versions: [String]) -> [Judge.Pair] {
        var result: [Judge.Pair] = []
        let count = versions.count
        for source in versions.indices {
            // All pairs of a hundred versions would take minutes, and say the same.
            let others =
                count <= 8
                ? Array(versions.indices) : [source + 1, (source * 7 + 3) % count]
            for destination in others where versions.indices.contains(destination) && destination != source {
                result.append(Judge.Pair(source: versions[source], destination: versions[destination]))
            }
        }
        return result
    }

    /// Other versions of the same bundle: all, or of a large bundle a spread.
    static func neighbours(of version: String) -> [String] {
        let versions = bundles.first { $0.contains(version) } ?? []
        let step = max(1, versions.count / 8)
        return versions.indices.filter { $0 % step == 0 }.map { versions[$0] }.filter { $0 != version }
    }
}
