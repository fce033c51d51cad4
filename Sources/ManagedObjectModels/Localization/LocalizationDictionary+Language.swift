extension LocalizationDictionary {
    /// The texts of a version's model in a language; nil if the model has none.
    ///
    /// Without a language they are those of the development language, as far as that shows: of a file in no folder, in
    /// `Base.lproj`, in `en.lproj`, or the only ones.
    /// - Throws: `ModelError` where the model has no texts in the language, or the file cannot be read.
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

    /// The entries of both; where both have one, this one's.
    public func merging(_ other: LocalizationDictionary) -> LocalizationDictionary {
        LocalizationDictionary(entries: entries.merging(other.entries) { own, _ in own })
    }

    /// What an entity is called in this language; nil if that is its name.
    public func otherName(ofEntity name: String) -> String? {
        let text = entityName(name)
        return text == name ? nil : text
    }

    /// What a property is called in this language; nil if that is its name.
    public func otherName(ofProperty name: String, of entity: String) -> String? {
        let text = propertyName(name, of: entity)
        return text == name ? nil : text
    }
}
