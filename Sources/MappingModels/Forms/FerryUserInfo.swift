/// Features that Core Data's forms lack: they are written to the user info, and removed from it when reading.
enum FerryUserInfo {
    static let key = "ferry.key"
    static let survivor = "ferry.survivor"
    static let choice = "ferry.choice"

    /// Returns the user info with Ferry's own entries added.
    static func userInfo(of mapping: EntityMapping) -> [String: String] {
        var userInfo = mapping.userInfo
        if let identity = mapping.identity {
            userInfo[key] = identity.attributes.joined(separator: ",")
            userInfo[survivor] = identity.survivor.rawValue
        }
        return userInfo
    }

    static func userInfo(of property: PropertyMapping) -> [String: String] {
        var userInfo = property.userInfo
        if let value = property.choice { userInfo[choice] = value.rawValue }
        return userInfo
    }

    /// Sets properties from the entries; unknown entries stay in the user info.
    static func take(from mapping: inout EntityMapping) {
        let names = (mapping.userInfo[key] ?? "").split(separator: ",").map(String.init)
        guard !names.isEmpty else { return }
        guard let kept = MappingIdentity.Survivor(rawValue: mapping.userInfo[survivor] ?? "first") else { return }
        mapping.identity = MappingIdentity(attributes: names, survivor: kept)
        mapping.userInfo[key] = nil
        mapping.userInfo[survivor] = nil
    }

    static func take(from property: inout PropertyMapping) {
        guard let value = RelationshipChoice(rawValue: property.userInfo[choice] ?? "") else { return }
        property.choice = value
        property.userInfo[choice] = nil
    }
}
