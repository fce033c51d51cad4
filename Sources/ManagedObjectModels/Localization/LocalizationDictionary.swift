public import KeyedArchives

/// The localized names and messages of a model: Core Data's localization dictionary, a `.strings` file.
public struct LocalizationDictionary: Sendable, Hashable, Codable {
    /// All entries: `Entity/E`, `Property/p/Entity/E`, `Property/p`, `ErrorString/x`, and any others.
    public var entries: [String: String]

    /// Makes a dictionary from entries, by Core Data's keys.
    public init(entries: [String: String] = [:]) {
        self.entries = entries
    }

    /// Reads the texts of a property list; entries of another type are skipped.
    public init(_ list: PropertyListDictionary) {
        entries = [:]
        for (key, value) in list { entries[key] = value.string }
    }

    /// Returns the localized name of an entity; its own name if there is none.
    public func entityName(_ name: String) -> String {
        entries["Entity/" + name] ?? name
    }

    /// Returns the localized name of a property: that for this entity, otherwise that for all properties of the name.
    public func propertyName(_ name: String, of entity: String) -> String {
        entries["Property/\(name)/Entity/\(entity)"] ?? entries["Property/" + name] ?? name
    }

    /// Returns a localized validation warning; the warning itself if there is none.
    public func errorString(_ text: String) -> String {
        entries["ErrorString/" + text] ?? text
    }
}
