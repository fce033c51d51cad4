import ImportMappings
import PersistentStores
import RecordSources

/// What the files of an import are read by.
extension ImportRun {
    /// What files must have in common to share what they are read by.
    private struct Signature: Hashable {
        let mapping: Int
        /// nil for a nested source.
        let columns: [String]?
        /// nil if it does not matter.
        let folder: String?
    }

    /// Makes the mappings ready for a store, with where the values of each source are in its records.
    ///
    /// - Parameter now: what `now()` is in expressions.
    func prepare(
        _ inputs: ImportInputs, _ opening: SourceOpening, _ layout: StoreLayout, now: Double
    ) throws -> (compiled: CompiledImport, catalogs: [FieldCatalog]) {
        // Relationships may mean keys of objects for which there is no file this time.
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
    /// - Returns: by source, where its values are in records.
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
                // A source of a mapping may have many files.
                if case .unknownColumn = error.code { error.source = StreamInput.title(of: file.path) }
                if mapping.index == nil { error.place = nil }
                throw error
            }
            catalogs.append(catalog)
        }
        return catalogs
    }
}
