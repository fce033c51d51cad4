internal import DocumentReading

/// The file of silences: YAML with a list of codes and reasons.
public struct LintSilences: Sendable {
    /// The name under which the file is found beside a model.
    public static let fileName = ".ferry-lint.yaml"

    /// The path of the file.
    public let path: String
    /// The entries in the order of the file.
    public let entries: [LintSilence]

    /// Reads a file.
    /// - Throws: `LintSilenceErrors`: all errors that are found, each with file, line, column, the line itself and a
    ///   caret.
    public init(path: String) throws(LintSilenceErrors) {
        let document: YAMLDocument
        do throws(DocumentError) {
            document = try YAMLDocument(path: path, limits: Self.limits)
        } catch {
            throw LintSilenceErrors(messages: [error.description])
        }
        var parser = LintSilenceParser(document)
        let entries = parser.entries()
        guard parser.problems.isEmpty else { throw LintSilenceErrors(messages: parser.problems.map(\.description)) }
        self.path = path
        self.entries = entries
    }

    /// The path of the file beside a model: in the folder itself, or in the one that holds the bundle or the version;
    /// nil if there is none.
    public static func path(beside model: String) -> String? {
        var folder = model[...]
        while folder.count > 1, folder.hasSuffix("/") { folder = folder.dropLast() }
        let parts = folder.split(separator: "/", omittingEmptySubsequences: false)
        // From the outermost part that belongs to a model on, everything does.
        let inner = parts.firstIndex { part in
            [".xcdatamodeld", ".xcdatamodel", ".momd", ".mom"].contains { part.hasSuffix($0) }
        }
        let outer = inner.map { parts[..<$0].joined(separator: "/") } ?? String(folder)
        let isRoot = outer.isEmpty && model.hasPrefix("/")
        let path = (isRoot ? "/" : outer.isEmpty ? "" : outer + "/") + fileName
        return FileKind(path: path) == .file ? path : nil
    }

    /// Thousands of entries are a few hundred kilobytes.
    private static let limits = YAMLReadingLimits(maximumSize: 4 << 20, maximumDepth: 16, maximumNodeCount: 100_000)
}
