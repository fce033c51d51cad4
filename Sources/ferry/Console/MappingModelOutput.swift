import MappingModels
import PersistentStores

/// Writes a mapping model where the user wants it: a file, or the folder of a source mapping model with its file in it.
struct MappingModelOutput {
    let path: String
    let form: MappingModelForm
    let isReplacing: Bool

    private static let sourceFile = "xcmapping.xml"

    private var isNewFolder: Bool { form == .source && !FileSystem.isDirectory(path) }
    private var file: String { form == .source ? path + "/" + Self.sourceFile : path }

    /// Throws if it could not be written, as far as that can be known before.
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
