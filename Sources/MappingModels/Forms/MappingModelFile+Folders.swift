public import DocumentReading

extension MappingModelFile {
    /// Returns the paths of the mapping models at a path: the path itself, or those in a folder and its subfolders,
    /// sorted.
    ///
    /// In a folder, these are the files and folders that end in `.xcmappingmodel` or `.cdm`, and YAML files with the
    /// key `mapping`. Hidden folders and symbolic links below the path are skipped.
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

    /// Returns the compiled mapping models that accompany models: in a folder of models and its subfolders, or beside a
    /// compiled model.
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

    /// Returns whether a YAML file has the key of a mapping model; also true for a file that cannot be read, so that
    /// its errors are reported.
    private static func isMapping(_ path: String) -> Bool {
        guard let source = try? SourceText(path: path, maximumSize: maximumSize) else { return true }
        return String(decoding: source.bytes, as: UTF8.self).split(separator: "\n").contains {
            $0.hasPrefix("mapping:")
        }
    }
}
