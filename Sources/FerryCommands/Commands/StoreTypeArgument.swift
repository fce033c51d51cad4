import PersistentStores
import StoreConversion

/// A type of store that can be created, by its name in lower case.
struct StoreTypeArgument: RawRepresentable, CaseIterable, Sendable {
    let rawValue: String
    let type: PersistentStoreType

    /// Returns nil if there is no such type.
    init?(rawValue: String) {
        guard let type = PersistentStoreRegistry.standard.type(named: rawValue) else { return nil }
        self.init(type)
    }

    private init(_ type: PersistentStoreType) {
        self.type = type
        rawValue = type.name.lowercased()
    }

    static var allCases: [StoreTypeArgument] {
        PersistentStoreRegistry.standard.typeNames.map { StoreTypeArgument(PersistentStoreType($0)) }
    }
}
