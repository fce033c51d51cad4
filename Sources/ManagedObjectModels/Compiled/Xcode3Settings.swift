import KeyedArchives

/// The settings of an entity or a property in a model of Xcode 3: values by key, distributed over several stereotypes.
struct Xcode3Settings {
    private var values: [String: ArchivedValue] = [:]

    /// Collects the values of all stereotypes of an object.
    init(of object: ArchivedObject) throws {
        for (_, stereotype) in try object.namedValues("XDBucketForStereotypesstorage") ?? [] {
            let settings = try stereotype.object?.namedValues("XDBucketForOwnedAttributesstorage") ?? []
            for (name, setting) in settings {
                values[name] = try setting.object?.value("_default")
            }
        }
    }

    func value(_ key: String) -> ArchivedValue {
        values[key] ?? .null
    }

    /// Returns a text; nil if there is none or it is empty.
    func string(_ key: String) throws -> String? {
        let text = try value(key).string()
        return text?.isEmpty == true ? nil : text
    }

    func boolean(_ key: String) throws -> Bool? {
        value(key).scalar?.boolean ?? value(key).scalar?.integer.map { $0 != 0 }
    }

    func integer(_ key: String) throws -> Int? {
        value(key).scalar?.integer.flatMap { Int(exactly: $0) }
    }

    func object(_ key: String) throws -> ArchivedObject? {
        value(key).object
    }
}
