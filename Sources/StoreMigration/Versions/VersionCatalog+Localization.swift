public import ManagedObjectModels

extension VersionCatalog {
    /// The texts of a version's model; of merged models those of all. nil if there are none.
    ///
    /// A file that cannot be read is warned about, and apps ignore it.
    /// - Throws: `ModelError` where the models have texts, and none in the language that is asked for.
    public func localization(
        of path: String, language: String?
    ) throws(ModelError) -> LocalizationDictionary? {
        var result: LocalizationDictionary?
        var missing: ModelError?
        for version in parts(of: path) {
            do throws(ModelError) {
                guard let texts = try LocalizationDictionary(of: version, language: language) else { continue }
                result = result?.merging(texts) ?? texts
            } catch {
                if case .unknownLanguage = error.code {
                    missing = error
                } else {
                    warn(ModelWarning(.unreadablePropertyList(error.reason), path: error.path ?? version.path))
                }
            }
        }
        if result == nil, let missing { throw missing }
        return result
    }

    /// The version at a path, or those that were merged into it.
    private func parts(of path: String) -> [ModelVersion] {
        let merged = mergedModels.flatMap(\.versions).filter { path.split(separator: " + ").contains($0.path[...]) }
        return merged.isEmpty ? versions.filter { $0.path == path } : merged
    }
}
