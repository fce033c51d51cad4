import ManagedObjectModels

/// A model with a long history, as large as the largest that is known of a public app: 117 versions of up to 88
/// entities.
enum ModelHistory {
    static let bundle = "History.xcdatamodeld"

    private static let versions = 117
    private static let entities = 88
    private static let attributes = 9

    /// Writes the bundle as Xcode keeps it.
    ///
    /// - Returns: its path.
    static func write(to workspace: Workspace) throws -> String {
        for number in 1...versions {
            let text = ModelContentsWriter(model(number)).text()
            try workspace.write(text, to: "\(bundle)/\(name(number)).xcdatamodel/contents")
        }
        try workspace.write(
            """
            <?xml version="1.0" encoding="UTF-8"?>
            <plist version="1.0"><dict><key>_XCCurrentVersionName</key>
            <string>\(name(versions)).xcdatamodel</string></dict></plist>
            """, to: bundle + "/.xccurrentversion")
        return workspace.file(bundle)
    }

    private static func name(_ number: Int) -> String {
        number == 1 ? "History" : "History \(number)"
    }

    /// A version: the first has a third of the entities, and each later one an attribute more.
    private static func model(_ number: Int) -> ManagedObjectModel {
        let count = entities / 3 + (entities - entities / 3) * number / versions
        let types: [AttributeType] = [.string, .integer64, .date, .boolean, .double, .decimal, .transformable]
        return ManagedObjectModel(
            entities: (0..<count).map { entity in
                let later = number > entity ? min(number - entity, versions) / 12 : 0
                return EntityDescription(
                    name: "Entity\(entity)", managedObjectClassName: "Entity\(entity)",
                    attributes: (0..<attributes + later).map { place in
                        let type = types[(entity + place) % types.count]
                        return AttributeDescription(
                            name: "attribute\(place)", type: type, isOptional: place % 2 == 0,
                            defaultValue: type == .integer64 ? .integer(0) : nil, usesScalarValueType: false)
                    },
                    relationships: [
                        RelationshipDescription(
                            name: "next", destinationEntityName: "Entity\((entity + 1) % count)",
                            inverseName: "previous"),
                        RelationshipDescription(
                            name: "previous", destinationEntityName: "Entity\((entity + count - 1) % count)",
                            inverseName: "next", isToMany: true),
                    ])
            })
    }
}
