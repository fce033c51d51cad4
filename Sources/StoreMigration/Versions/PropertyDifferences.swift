public import ManagedObjectModels

/// The differences between the properties of an entity in a store and in a version, according to their hashes.
public struct PropertyDifferences: Sendable, Hashable {
    /// The kind of difference.
    public enum Kind: Sendable, Hashable {
        /// Only the store has the property.
        case onlyInStore
        /// Only the version has the property.
        case onlyInModel
        /// Both have the property, with different hashes.
        case declaredOtherwise
    }

    /// The properties that differ, sorted by name.
    public let properties: [(name: String, kind: Kind)]

    /// Compares the hashes of properties.
    /// - Parameters:
    ///   - stored: the hashes of the entity's properties in the store's own model.
    ///   - declared: the hashes of the properties in the version.
    public init(stored: [String: VersionHash], declared: [String: VersionHash]) {
        properties = Set(stored.keys).union(declared.keys).sorted().compactMap { name in
            switch (stored[name], declared[name]) {
            case (_?, nil): (name, .onlyInStore)
            case (nil, _): (name, .onlyInModel)
            case (let store, let model): store == model ? nil : (name, .declaredOtherwise)
            }
        }
    }

    public static func == (left: Self, right: Self) -> Bool {
        left.properties.elementsEqual(right.properties) { $0 == $1 }
    }

    public func hash(into hasher: inout Hasher) {
        for (name, kind) in properties {
            hasher.combine(name)
            hasher.combine(kind)
        }
    }
}

extension PropertyDifferences {
    /// A clause such as "a and b are declared otherwise, c is there too"; nil if no property differs.
    var description: String? {
        let parts: [(Kind, (String) -> String)] = [
            (.declaredOtherwise, { "\($0) declared otherwise" }), (.onlyInStore, { "\($0) too" }),
            (.onlyInModel, { "no \($0)" }),
        ]
        let texts = parts.compactMap { kind, text -> String? in
            let names = properties.filter { $0.kind == kind }.map(\.name)
            return names.isEmpty ? nil : text(names.joined(separator: ", "))
        }
        return texts.isEmpty ? nil : texts.joined(separator: "; ")
    }
}
