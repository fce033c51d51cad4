public import ManagedObjectModels

/// How the properties of an entity differ between a store and a version, by their hashes.
public struct PropertyDifferences: Sendable, Hashable {
    /// How a property differs.
    public enum Kind: Sendable, Hashable {
        /// The version does not have it.
        case onlyInStore
        /// The store does not have it.
        case onlyInModel
        /// Both have it, with different hashes.
        case declaredOtherwise
    }

    /// The properties that differ, by name.
    public let properties: [(name: String, kind: Kind)]

    /// Compares the hashes of properties.
    /// - Parameters:
    ///   - stored: the hashes of the entity's properties, as the store's own model has them.
    ///   - declared: those of the version.
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
    /// "a and b are declared otherwise, c is there too"; nil if no property differs.
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
