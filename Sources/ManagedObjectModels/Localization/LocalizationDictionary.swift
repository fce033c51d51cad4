public import KeyedArchives

/// The names and messages of a model in a language: Core Data's localization dictionary, a `.strings` file.
public struct LocalizationDictionary: Sendable, Hashable, Codable {
    /// All entries: `Entity/E`, `Property/p/Entity/E`, `Property/p`, `ErrorString/x`, and whatever else is there.
    public var entries: [String: String]

    /// Makes a dictionary of entries, by Core Data's keys.
    public init(entries: [String: String] = [:]) {
        self.entries = entries
    }

    /// Takes the texts out of a property list; entries of another kind are skipped.
    public init(_ list: PropertyListDictionary) {
        entries = [:]
        for (key, value) in list { entries[key] = value.string }
    }

    /// The name of an entity in this language; its own name if there is none.
    public func entityName(_ name: String) -> String {
        entries["Entity/" + name] ?? name
    }

    /// The name of a property: that of the property in this entity, else that of all properties so called.
    public func propertyName(_ name: String, of entity: String) -> String {
        entries["Property/\(name)/Entity/\(entity)"] ?? entries["Property/" + name] ?? name
    }

    /// A validation warning in this language; the warning itself if there is none.
    public func errorString(_ text: String) -> String {
        entries["ErrorString/" + text] ?? text
    }
}
