import ManagedObjectModels

/// The hints for imports in a model's userInfo, as read by MagicalRecord, Sync and Groot.
struct PropertyHints {
    /// The names or key paths of the property in sources; the first existing one is used.
    let names: [String]
    /// The formats of its dates, as settings of a mapping.
    let dates: [String]
    /// The attribute of a relationship's destination by which objects are found.
    let relatedBy: String?
    let isPrimaryKey: Bool
    /// Whether records without a value give the model's default.
    let usesDefault: Bool

    init(_ userInfo: [String: String]) {
        // MagicalRecord has up to ten names and formats, with a number appended to the key.
        func numbered(_ key: String) -> [String] {
            ([userInfo[key]] + (0...9).map { userInfo["\(key).\($0)"] }).compactMap { $0 }.filter { !$0.isEmpty }
        }
        var names = numbered("mappedKeyName")
        for key in ["hyper.remoteKey", "sync.remoteKey", "JSONKeyPath"] {
            if let name = userInfo[key], !name.isEmpty, !names.contains(name) { names.append(name) }
        }
        self.names = names
        dates = numbered("dateFormat").map { $0 == "UnixTime" ? "seconds1970" : $0 }
        relatedBy = userInfo["relatedByAttribute"]
        isPrimaryKey = ["hyper.isPrimaryKey", "sync.isPrimaryKey"].contains { Self.isTrue(userInfo[$0]) }
        usesDefault = Self.isTrue(userInfo["useDefaultValueWhenNotPresent"])
    }

    private static func isTrue(_ text: String?) -> Bool {
        ["yes", "true", "1"].contains(text?.lowercased() ?? "")
    }
}

/// The hints about the key of an entity's objects.
struct EntityHints {
    /// The attributes that identify its objects; empty if there are no hints.
    let key: [String]

    init(_ entity: ResolvedEntity, in model: ResolvedModel) {
        var key: [String] = []
        var slot: Int? = entity.slot
        while key.isEmpty, let current = slot {
            let userInfo = model.entities[current].description.userInfo
            let groot = userInfo["identityAttributes"] ?? userInfo["identityAttribute"]
            if let groot {
                key = groot.split { $0 == "," || $0 == " " }.map(String.init)
            } else if let magicalRecord = userInfo["relatedByAttribute"] {
                key = [magicalRecord]
            }
            slot = model.entities[current].superentity
        }
        if key.isEmpty {
            key = entity.attributes.filter { PropertyHints($0.description.userInfo).isPrimaryKey }.map(\.name)
        }
        self.key =
            key.allSatisfy { entity.attribute(named: $0) != nil || entity.relationship(named: $0) != nil }
            ? key : []
    }
}
