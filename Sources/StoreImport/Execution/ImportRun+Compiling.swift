import PersistentStores

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
            let columns = try opening.columns(of: file.path, mapping.source.format)
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
                if case .unknownColumn = error.code { error.source = StandardInput.title(of: file.path) }
                if mapping.index == nil { error.place = nil }
                throw error
            }
            catalogs.append(catalog)
        }
        return catalogs
    }
}
