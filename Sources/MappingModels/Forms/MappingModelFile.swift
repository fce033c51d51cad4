public import DocumentReading

/// Reads and writes mapping models in any of their forms.
public enum MappingModelFile {
    /// The maximum size of a file in bytes; the largest known one, which includes the data of both models, has 2 MB.
    static let maximumSize = 256 << 20

    /// Reads a mapping model; its form is recognized by its content.
    ///
    /// - Parameter path: a file, or a folder `X.xcmappingmodel`.
    /// - Throws: `DocumentErrors`: all errors of the file, each with its location.
    public static func read(path: String) throws(DocumentErrors) -> MappingModelDocument {
        let file = FileKind(path: path) == .folder ? path + "/" + SourceMappingReader.fileName : path
        let source: SourceText
        do throws(DocumentError) {
            source = try SourceText(path: file, maximumSize: maximumSize)
        } catch {
            throw DocumentErrors([error])
        }
        return try read(source)
    }

    /// Reads a mapping model in memory; `name` is used in messages instead of a file name.
    /// - Throws: `DocumentErrors`: all errors of the document, each with its location.
    public static func read(bytes: [UInt8], name: String) throws(DocumentErrors) -> MappingModelDocument {
        try read(SourceText(name: name, bytes: bytes))
    }

    private static func read(_ source: SourceText) throws(DocumentErrors) -> MappingModelDocument {
        switch MappingModelForm(bytes: source.bytes) {
        case .yaml: return try MappingModelReader.read(source)
        case .source, .compiled:
            do throws(DocumentError) {
                return MappingModelForm(bytes: source.bytes) == .source
                    ? try SourceMappingReader.read(source) : try CompiledMappingReader.read(source)
            } catch {
                throw DocumentErrors([error])
            }
        }
    }

    /// Returns the content of a file with a mapping model in a form.
    /// - Throws: `MappingModelWritingError` for parts that the form cannot represent, and for texts that cannot be read
    ///   back.
    public static func bytes(
        of model: MappingModel, form: MappingModelForm, comments: [String] = []
    ) throws -> [UInt8] {
        try model.checkTexts()
        return switch form {
        case .yaml: Array(MappingModelWriter.yaml(model, comments: comments).utf8)
        case .source: try SourceMappingModelWriter.bytes(of: model)
        case .compiled: try CompiledMappingWriter.bytes(of: model)
        }
    }
}
