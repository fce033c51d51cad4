extension LocalizationDictionary {
    /// Reads the localization of a version's model; nil if the model has none.
    ///
    /// If `language` is nil, the development language is used as far as it can be recognized: a file outside language
    /// folders, in `Base.lproj`, in `en.lproj`, or the only file.
    /// - Throws: `ModelError` if the model is not localized in the language, or the file cannot be read.
    public init?(of version: ModelVersion, language: String?) throws(ModelError) {
        let files = try LocalizationFile.files(of: version)
        guard let first = files.first else { return nil }
        let wanted: [String?] = language.map { [$0] } ?? [nil, "Base", "en"]
        var chosen: LocalizationFile?
        for name in wanted where chosen == nil { chosen = files.first { $0.language == name } }
        if chosen == nil, let language {
            let known = Set(files.compactMap(\.language)).sorted()
            throw ModelError(.unknownLanguage(language, known: known), path: version.path)
        }
        self = try (chosen ?? first).dictionary()
    }

    /// Returns the entries of both dictionaries; those of this one take precedence.
    public func merging(_ other: LocalizationDictionary) -> LocalizationDictionary {
        LocalizationDictionary(entries: entries.merging(other.entries) { own, _ in own })
    }

    /// Returns the localized name of an entity; nil if it is the entity's own name.
    public func otherName(ofEntity name: String) -> String? {
        let text = entityName(name)
        return text == name ? nil : text
    }

    /// Returns the localized name of a property; nil if it is the property's own name.
    public func otherName(ofProperty name: String, of entity: String) -> String? {
        let text = propertyName(name, of: entity)
        return text == name ? nil : text
    }
}
