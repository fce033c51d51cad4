public import ManagedObjectModels

extension VersionCatalog {
    /// Returns the localization of a version's model, or of all merged models; nil if there is none.
    ///
    /// A file that cannot be read results in a warning, as apps ignore it.
    /// - Throws: `ModelError` if the models are localized, but not in the requested language.
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

    /// Returns the version at a path, or the versions that were merged into it.
    private func parts(of path: String) -> [ModelVersion] {
        let merged = mergedModels.flatMap(\.versions).filter { path.split(separator: " + ").contains($0.path[...]) }
        return merged.isEmpty ? versions.filter { $0.path == path } : merged
    }
}
