import ManagedObjectModels

/// A model that has one of everything that compiled models hold.
enum FeatureModel {
    static let model = ManagedObjectModel(
        entities: [base, book, page, shelf], composites: [unit],
        configurations: [ConfigurationDescription(name: "Local", entityNames: ["Book", "Page"])],
        fetchRequestTemplates: [
            FetchRequestTemplate(
                name: "recent", entityName: "Book",
                predicateFormat: "published > $since AND title BEGINSWITH[cd] \"a\"",
                sortDescriptors: [
                    FetchSortDescriptor(keyPath: "title"),
                    FetchSortDescriptor(
                        keyPath: "published", isAscending: false, selectorName: "localizedStandardCompare:"),
                ], fetchLimit: 10, fetchOffset: 5, fetchBatchSize: 20, resultType: 2,
                relationshipKeyPathsForPrefetching: ["pages"])
        ], versionIdentifiers: ["1.0"])

    private static let unit = CompositeDescription(
        name: "measure",
        elements: [
            AttributeDescription(name: "symbol", type: .string, isOptional: true),
            AttributeDescription(name: "factor", type: .double, defaultValue: .real(1)),
        ])

    private static let base = EntityDescription(
        name: "Base", isAbstract: true,
        attributes: [AttributeDescription(name: "identifier", type: .uuid, defaultValue: .uuid(Array(0..<16)))])

    private static let book = EntityDescription(
        name: "Book", managedObjectClassName: "Library.Book", superentityName: "Base", renamingIdentifier: "Volume",
        versionHashModifier: "2", userInfo: ["key": "value", "other": ""], attributes: attributes,
        relationships: [
            RelationshipDescription(
                name: "pages", destinationEntityName: "Page", inverseName: "book", isToMany: true, isOrdered: true,
                minimumCount: 1, maximumCount: 500, deleteRule: .cascade, renamingIdentifier: "leaves",
                versionHashModifier: "r", userInfo: ["a": "b"]),
            RelationshipDescription(
                name: "sequel", destinationEntityName: "Book", isTransient: true, deleteRule: .deny),
        ],
        fetchedProperties: [
            FetchedPropertyDescription(
                name: "similar",
                fetchRequest: FetchRequestTemplate(
                    name: "fetchedPropertyFetchRequest", entityName: "Book",
                    predicateFormat: "title == $FETCH_SOURCE.title"), userInfo: ["k": "v"])
        ],
        fetchIndexes: [
            FetchIndexDescription(
                name: "byDate",
                elements: [
                    FetchIndexElementDescription(propertyName: "published", isAscending: false),
                    FetchIndexElementDescription(propertyName: "title"),
                ], partialIndexPredicate: "published != NULL"),
            FetchIndexDescription(
                name: "byPlace", elements: [FetchIndexElementDescription(propertyName: "latitude", collation: .rTree)]),
            FetchIndexDescription(
                name: "byObject",
                elements: [
                    FetchIndexElementDescription(propertyName: "title"),
                    FetchIndexElementDescription(propertyName: nil, expression: "SELF"),
                ]),
        ], uniquenessConstraints: [["title"], ["published", "title"]], compoundIndexes: [["title", "price"]])

    private static let attributes = [
        AttributeDescription(
            name: "available", type: .boolean, isOptional: true, isIndexed: true, defaultValue: .boolean(true)),
        AttributeDescription(
            name: "count16", type: .integer16, defaultValue: .integer(-5),
            validation: AttributeValidation(minimum: .integer(-10), maximum: .integer(10))),
        AttributeDescription(name: "count32", type: .integer32, defaultValue: .integer(70_000)),
        AttributeDescription(name: "count64", type: .integer64, defaultValue: .integer(.max)),
        AttributeDescription(
            name: "cover", type: .binaryData, isOptional: true, allowsExternalBinaryDataStorage: true),
        AttributeDescription(name: "extra", type: .transformable, isOptional: true, attributeValueClassName: "NSArray"),
        AttributeDescription(
            name: "hidden", type: .string, isOptional: true, preservesValueInHistoryOnDeletion: true,
            allowsCloudEncryption: true),
        AttributeDescription(name: "latitude", type: .float, defaultValue: .real(0.5)),
        AttributeDescription(name: "link", type: .uri, isOptional: true, defaultValue: .uri("https://example.org")),
        AttributeDescription(
            name: "pageCount", type: .integer64, isOptional: true, derivationExpression: "pages.@count"),
        AttributeDescription(
            name: "price", type: .decimal, defaultValue: .decimal("12.5"),
            validation: AttributeValidation(minimum: .decimal("0"), maximum: .decimal("999.99"))),
        AttributeDescription(
            name: "published", type: .date, isOptional: true, defaultValue: .date(0),
            validation: AttributeValidation(minimum: .date(-1), maximum: .date(1e9))),
        AttributeDescription(name: "size", type: .composite, isOptional: true, compositeName: "measure"),
        AttributeDescription(
            name: "title", type: .string, renamingIdentifier: "name", versionHashModifier: "m", userInfo: ["x": "y"],
            defaultValue: .string("untitled"),
            validation: AttributeValidation(
                minimum: .integer(1), maximum: .integer(50), regularExpression: "[A-Z].*",
                otherPredicates: [
                    ValidationPredicate(predicateFormat: "SELF CONTAINS \" \"", warning: "A title has words.")
                ])),
        AttributeDescription(name: "updated", type: .date, isOptional: true, derivationExpression: "now()"),
        AttributeDescription(name: "volatile", type: .undefined, isTransient: true),
        AttributeDescription(
            name: "wrapped", type: .transformable, isOptional: true,
            valueTransformerName: "NSSecureUnarchiveFromData"),
    ]

    private static let page = EntityDescription(
        name: "Page", managedObjectClassName: "Page",
        attributes: [AttributeDescription(name: "weight", type: .composite, compositeName: "measure")],
        relationships: [
            RelationshipDescription(
                name: "book", destinationEntityName: "Book", inverseName: "pages", isOptional: false, minimumCount: 1,
                deleteRule: .noAction)
        ])

    /// Inherits two levels deep.
    private static let shelf = EntityDescription(name: "Shelf", superentityName: "Book")
}
