public import DocumentReading

/// Reads steps from a YAML file.
public enum EditScript {
    /// Reads a script.
    /// - Throws: `DocumentErrors`: all errors of the file, each with its location.
    public static func read(path: String) throws(DocumentErrors) -> [EditStep] {
        let document: YAMLDocument
        do throws(DocumentError) {
            document = try YAMLDocument(
                path: path,
                limits: YAMLReadingLimits(maximumSize: maximumSize, maximumDepth: 32, maximumNodeCount: 100_000))
        } catch {
            throw DocumentErrors([error])
        }
        var parser = EditScriptParser(document)
        let steps = parser.steps()
        guard parser.problems.isEmpty, let steps else { throw DocumentErrors(parser.problems) }
        return steps
    }

    /// In bytes. A script of ten thousand steps has about 1 MB.
    private static let maximumSize = 4 << 20
}
