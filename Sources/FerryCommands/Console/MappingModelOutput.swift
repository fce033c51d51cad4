import MappingModels
import PersistentStores

/// Writes a mapping model to a file, or to the folder of a source mapping model, which contains the file.
struct MappingModelOutput {
    let path: String
    let form: MappingModelForm
    let isReplacing: Bool

    private static let sourceFile = "xcmapping.xml"

    private var isNewFolder: Bool { form == .source && !FileSystem.isDirectory(path) }
    private var file: String { form == .source ? path + "/" + Self.sourceFile : path }

    /// Throws an error if it is already known that the file cannot be written.
    func check() throws {
        guard isNewFolder else { return try CommandOutput.check(file, isReplacing: isReplacing) }
        if FileSystem.isThere(path) { throw CommandOutput.Exists(path: path) }
    }

    func write(_ model: MappingModel) throws {
        let bytes = try MappingModelFile.bytes(of: model, form: form)
        guard isNewFolder else { return try CommandOutput.write(bytes, to: file, isReplacing: isReplacing) }
        try check()
        try FileSystem.createDirectory(FileSystem.directory(of: path))
        let output = try StagedOutput(for: path, replacing: false)
        try output.write(bytes, to: Self.sourceFile)
        try output.finish()
    }
}
