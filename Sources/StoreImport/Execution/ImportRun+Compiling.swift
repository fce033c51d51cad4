import ImportMappings
import PersistentStores
import RecordSources

/// Compiling of the mappings of an import for its files.
extension ImportRun {
    /// The properties that files must share to be read with the same compiled mapping.
    private struct Signature: Hashable {
        let mapping: Int
        /// The columns of the file; nil for a nested source.
        let columns: [String]?
        /// The folder of the file; nil if it does not matter.
        let folder: String?
    }

    /// Compiles the mappings for a store, and finds where the records of each source contain their values.
    ///
    /// - Parameters:
    ///   - inputs: the files with their mappings.
    ///   - opening: opens the files.
    ///   - layout: the layout of the store.
    ///   - now: the value of `now()` in expressions.
    func prepare(
        _ inputs: ImportInputs, _ opening: SourceOpening, _ layout: StoreLayout, now: Double
    ) throws -> (compiled: CompiledImport, catalogs: [FieldCatalog]) {
        // Relationships may use keys of objects for which there is no file in this import.
        let mapping =
            if case .mapping(let mapping) = plan { mapping } else {
                ImportMapping(sources: inputs.mappings.map(\.source))
            }
        var compiler = ImportCompiler(
            layout: layout, mapping: mapping, now: now, localization: options.localization, isWritten: isMapped)
        compiler.transformers = options.transformers
        compiler.holdsObjects = target.newStore.holdsObjects
        let catalogs = try compile(inputs, opening, with: &compiler)
        return (compiler.compiled, catalogs)
    }

    /// Compiles the mappings of all files.
    ///
    /// - Returns: for each source, where records contain its values.
    func compile(
        _ inputs: ImportInputs, _ opening: SourceOpening, with compiler: inout ImportCompiler
    ) throws -> [FieldCatalog] {
        var catalogs: [FieldCatalog] = []
        var known: [Signature: Int] = [:]
        let namesFiles = inputs.mappings.map { $0.source.mayNameFiles(in: compiler.mapping.settings) }
        for file in inputs.files {
            let mapping = inputs.mapping(of: file)
            let columns =
                if let known = file.columns { known.names } else {
                    try opening.columns(of: file.path, mapping.source.format)
                }
            let signature = Signature(
                mapping: file.mapping, columns: columns,
                folder: namesFiles[file.mapping] ? FileSystem.directory(of: file.path) : nil)
            if let source = known[signature] {
                compiler.addFile(of: source)
                continue
            }
            known[signature] = catalogs.count
            var catalog = FieldCatalog(columns: columns)
            do {
                try compiler.add(mapping.source, path: file.path, fields: &catalog)
            } catch {
                var error = error
                error.place?.source = mapping.index
                // A source of a mapping file may have many files.
                if case .unknownColumn = error.code { error.source = StreamInput.title(of: file.path) }
                if mapping.index == nil { error.place = nil }
                throw error
            }
            catalogs.append(catalog)
        }
        return catalogs
    }
}
