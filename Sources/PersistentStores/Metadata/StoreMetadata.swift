public import KeyedArchives

/// The metadata of a store: its UUID, its type, the version hashes of its model, and the entries that an app has added.
public struct StoreMetadata: Sendable, Hashable {
    /// The keys that Core Data defines (docs/format/sqlite-store.md#metadata).
    public enum Key {
        /// The version hashes of the model's entities: data by entity name.
        public static let versionHashes = "NSStoreModelVersionHashes"
        /// The version of the hash algorithm, 3 for all known stores.
        public static let versionHashesVersion = "NSStoreModelVersionHashesVersion"
        /// A digest over all version hashes.
        public static let versionHashesDigest = "NSStoreModelVersionHashesDigest"
        /// The checksum of the model version.
        public static let versionChecksum = "NSStoreModelVersionChecksumKey"
        /// The identifiers that the model's developer has given to the version.
        public static let versionIdentifiers = "NSStoreModelVersionIdentifiers"
        /// The version of Core Data that wrote the store.
        public static let frameworkVersion = "NSPersistenceFrameworkVersion"
        /// The highest version of Core Data that has written to the store.
        public static let maximumFrameworkVersion = "NSPersistenceMaximumFrameworkVersion"
        /// The type of the store, as in `SQLite`.
        public static let storeType = "NSStoreType"
        /// The store's UUID.
        public static let storeUUID = "NSStoreUUID"
        /// Whether a SQLite store returns unused pages to the file system: 2 for incremental vacuum.
        public static let autoVacuumLevel = "_NSAutoVacuumLevel"
    }

    /// The store's UUID; Core Data writes it in upper case.
    public var uuid: String

    /// Everything in the store's property list.
    public var entries: PropertyListDictionary

    /// Makes metadata from a UUID, in upper case, and the entries of a property list.
    public init(uuid: String, entries: PropertyListDictionary = PropertyListDictionary()) {
        self.uuid = uuid
        self.entries = entries
    }

    /// `SQLite`, `XML`, `Binary`, `InMemory`, or the name of a custom type; nil if the metadata do not say.
    public var storeType: String? { entries[Key.storeType]?.string }

    /// The version of Core Data that wrote the store, such as 1344; nil if the metadata do not say.
    public var frameworkVersion: Int64? { entries[Key.frameworkVersion]?.integer }

    /// The identifiers that the model's developer has given to the version; usually empty.
    public var versionIdentifiers: [String] {
        (entries[Key.versionIdentifiers]?.array ?? []).compactMap(\.string)
    }

    /// The version hash of each entity, 32 bytes in hash version 3.
    public var versionHashes: [String: [UInt8]] {
        get {
            var result: [String: [UInt8]] = [:]
            for (name, value) in entries[Key.versionHashes]?.dictionary ?? PropertyListDictionary() {
                result[name] = value.data
            }
            return result
        }
        set {
            var dictionary = PropertyListDictionary()
            for name in newValue.keys.sorted() {
                dictionary[name] = newValue[name].map { .data($0) }
            }
            entries[Key.versionHashes] = .dictionary(dictionary)
        }
    }

    /// The keys that do not belong to Core Data.
    public var customKeys: [String] {
        entries.keys.filter { !Self.isReserved($0) }
    }
}
