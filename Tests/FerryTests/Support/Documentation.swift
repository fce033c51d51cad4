import Foundation

/// The documentation: the README, the pages of `docs/`, and the other pages at the top of the repository.
enum Documentation {
    /// The folder of the repository.
    static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().path

    /// Where the generated pages are.
    static let reference = "docs/reference/"

    static var readme: DocumentationPage {
        get throws { try DocumentationPage(path: "README.md") }
    }

    /// A page of `docs/`, as in "importing".
    static func page(_ name: String) throws -> DocumentationPage {
        try DocumentationPage(path: "docs/\(name).md")
    }

    /// All pages, sorted by path.
    static func pages() throws -> [DocumentationPage] { try allPages.get() }

    private static let allPages = Result { try readPages() }

    private static func readPages() throws -> [DocumentationPage] {
        let files = FileManager.default
        let top = try files.contentsOfDirectory(atPath: folder).filter { $0.hasSuffix(".md") }
        let below = try files.subpathsOfDirectory(atPath: folder + "/docs").filter { $0.hasSuffix(".md") }
        let others = ["Samples/README.md", "Fuzzing/README.md"]
        return try (top + below.map { "docs/" + $0 } + others).sorted().map { try DocumentationPage(path: $0) }
    }

    /// The pages that people write.
    static func writtenPages() throws -> [DocumentationPage] {
        try pages().filter { !$0.path.hasPrefix(reference) }
    }

    /// The words between backticks in a text that `accepts` matches in full.
    static func words(in text: String, like accepts: Regex<Substring>) -> Set<String> {
        var words: Set<String> = []
        for (index, part) in text.split(separator: "`", omittingEmptySubsequences: false).enumerated()
        where index % 2 == 1 && part.wholeMatch(of: accepts) != nil {
            words.insert(String(part))
        }
        return words
    }
}
