public import DocumentReading

extension MappingModelFile {
    /// The paths of the mapping models at a path: itself, or those in a folder and all below it, sorted.
    ///
    /// In a folder, what ends in `.xcmappingmodel` or `.cdm` is one, and a YAML file that has the key `mapping`. Hidden
    /// folders and symbolic links below the path are skipped.
    /// - Throws: `DocumentErrors` if a folder cannot be listed.
    public static func paths(at path: String) throws(DocumentErrors) -> [String] {
        guard FileKind(path: path) == .folder, !path.hasSuffix(".xcmappingmodel"), !path.hasSuffix(".xcmappingmodel/")
        else {
            return [path]
        }
        var result: [String] = []
        do throws(DocumentError) {
            try collect(path, forms: Set(MappingModelForm.allCases), into: &result)
        } catch {
            throw DocumentErrors([error])
        }
        return result.sorted()
    }

    /// The compiled mapping models that lie with models: in a folder of them and all below it, or beside a compiled
    /// one.
    public static func compiledPaths(besideModels path: String) -> [String] {
        var path = path
        while path.count > 1, path.hasSuffix("/") { path.removeLast() }
        var result: [String] = []
        if FileKind(path: path) == .folder { try? collect(path, forms: [.compiled], into: &result) }
        if path.hasSuffix(".momd") || path.hasSuffix(".mom") {
            let slash = path.lastIndex(of: "/")
            let folder = slash.map { $0 == path.startIndex ? "/" : String(path[..<$0]) } ?? "."
            let names = (try? FolderListing(path: folder))?.entries.filter { $0.kind == .file }.map(\.name) ?? []
            result += names.filter { $0.hasSuffix(".cdm") }.map { folder + "/" + $0 }
        }
        return result.sorted()
    }

    private static func collect(
        _ folder: String, forms: Set<MappingModelForm>, into result: inout [String]
    ) throws(DocumentError) {
        for entry in try FolderListing(path: folder).entries where !entry.name.hasPrefix(".") {
            let path = folder + "/" + entry.name
            let form = MappingModelForm(pathExtensionOf: path)
            switch (entry.kind, form) {
            case (.folder, .source?) where forms.contains(.source): result.append(path)
            case (.folder, _): try collect(path, forms: forms, into: &result)
            case (.file, .compiled?) where forms.contains(.compiled): result.append(path)
            case (.file, .yaml?) where forms.contains(.yaml): if isMapping(path) { result.append(path) }
            default: break
            }
        }
    }

    /// Whether a YAML file has the key of a mapping model; one that cannot be read counts as one, so that its errors
    /// are said.
    private static func isMapping(_ path: String) -> Bool {
        guard let source = try? SourceText(path: path, maximumSize: maximumSize) else { return true }
        return String(decoding: source.bytes, as: UTF8.self).split(separator: "\n").contains {
            $0.hasPrefix("mapping:")
        }
    }
}
