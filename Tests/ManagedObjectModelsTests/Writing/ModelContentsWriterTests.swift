import ManagedObjectModels
import Testing

@Suite
struct ModelContentsWriterTests {
    @Test
    func theTextIsLaidOutAsXcodeDoesIt() {
        var entity = EntityDescription(name: "Person", managedObjectClassName: "Person", codeGenerationType: "class")
        entity.attributes = [
            AttributeDescription(
                name: "age", type: .integer16, isOptional: true, defaultValue: .integer(0), usesScalarValueType: true),
            AttributeDescription(name: "born", type: .date, userInfo: ["k": "a \"b\" <c>\n"], defaultValue: .date(0.5)),
        ]
        entity.relationships = [
            RelationshipDescription(
                name: "friends", destinationEntityName: "Person", inverseName: "friends", isToMany: true),
            RelationshipDescription(name: "spouse", destinationEntityName: "Person", isOptional: false),
        ]
        entity.uniquenessConstraints = [["age"]]
        let model = ManagedObjectModel(entities: [entity], versionIdentifiers: [""])
        #expect(
            ModelContentsWriter(model).text() == """
                <?xml version="1.0" encoding="UTF-8" standalone="yes"?>
                <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0" lastSavedToolsVersion="1" \
                systemVersion="11A491" minimumToolsVersion="Automatic" sourceLanguage="Swift" \
                userDefinedModelVersionIdentifier="">
                    <entity name="Person" representedClassName="Person" syncable="YES" codeGenerationType="class">
                        <attribute name="age" optional="YES" attributeType="Integer 16" defaultValueString="0" \
                usesScalarValueType="YES"/>
                        <attribute name="born" attributeType="Date" defaultDateTimeInterval="0.5">
                            <userInfo>
                                <entry key="k" value="a &quot;b&quot; &lt;c&gt;&#10;"/>
                            </userInfo>
                        </attribute>
                        <relationship name="friends" optional="YES" toMany="YES" deletionRule="Nullify" \
                destinationEntity="Person" inverseName="friends" inverseEntity="Person"/>
                        <relationship name="spouse" maxCount="1" deletionRule="Nullify" destinationEntity="Person"/>
                        <uniquenessConstraints>
                            <uniquenessConstraint>
                                <constraint value="age"/>
                            </uniquenessConstraint>
                        </uniquenessConstraints>
                    </entity>
                </model>
                """)
    }

    @Test
    func aModelWithEverythingInItIsReadBackEqual() throws {
        var model = ManagedObjectModel.withEverything
        let text = ModelContentsWriter(model).text()
        let document = try ModelContentsReader.read(bytes: Array(text.utf8), name: "contents")
        // The one value that does not fit its type.
        #expect(document.warnings.map(\.property) == ["a200"])
        #expect(document.model == model)
        #expect(ModelContentsWriter(document).text() == text)
        model.versionIdentifiers = []
        #expect(
            try ModelContentsReader.read(bytes: Array(ModelContentsWriter(model).text().utf8), name: "contents").model
                == model)
    }

    @Test
    func whatTheFormCannotHoldIsListed() {
        var model = ManagedObjectModel.withEverything
        #expect(ModelContentsWriter(model).losses.isEmpty)
        model.versionIdentifiers = ["a", "b"]
        model.fetchRequestTemplates[0].sortDescriptors = [FetchSortDescriptor(keyPath: "name")]
        model.entities[0].attributes[0].validation.otherPredicates = [ValidationPredicate(predicateFormat: "SELF > 1")]
        #expect(ModelContentsWriter(model).losses.count == 3)
    }
}

extension ManagedObjectModel {
    /// A model that uses every facet that a source document can hold.
    static var withEverything: ManagedObjectModel {
        var base = EntityDescription(
            name: "Base", managedObjectClassName: ".Base", isAbstract: true, renamingIdentifier: "OldBase",
            versionHashModifier: "2", userInfo: ["k": "v", "": ""], isSyncable: false, codeGenerationType: "none",
            coreSpotlightDisplayNameExpression: "uppercase:(a7)")
        base.attributes = AttributeType.allCases.filter { $0 != .composite }.map { type in
            AttributeDescription(name: "a\(type.rawValue)", type: type, isOptional: true)
        }
        base.attributes[1].defaultValue = .integer(-32_768)
        base.attributes[1].validation = AttributeValidation(minimum: .integer(-5), maximum: .integer(5))
        base.attributes[4].defaultValue = .decimal("1.50")
        base.attributes[5].defaultValue = .real(0.1)
        base.attributes[7].defaultValue = .string("\t'\"&<>")
        base.attributes[7].validation = AttributeValidation(
            minimum: .integer(1), maximum: .integer(64), regularExpression: "[^\"]+")
        base.attributes[8].defaultValue = .boolean(false)
        base.attributes[9].defaultValue = .date(1e20)
        base.attributes[9].validation = AttributeValidation(minimum: .date(-0.25), maximum: .date(666_643_260))
        base.attributes[10].defaultValue = .binary([0, 255, 1])
        base.attributes[10].allowsExternalBinaryDataStorage = true
        base.attributes[11].defaultValue = .uuid(Array(0..<16))
        base.attributes[12].defaultValue = .uri("https://example.com/?a&b")
        base.attributes[13].valueTransformerName = "T"
        base.attributes[13].attributeValueClassName = "[Int64]"
        base.attributes[2].defaultValue = .unparsed("x")
        var heir = EntityDescription(name: "Heir", superentityName: "Base")
        heir.attributes = [
            AttributeDescription(name: "unit", type: .composite, compositeName: "Unit"),
            AttributeDescription(name: "count", type: .integer64, derivationExpression: "others.@count"),
            AttributeDescription(
                name: "all", type: .string, isTransient: true, isIndexed: true, renamingIdentifier: "old",
                versionHashModifier: "m", userInfo: ["a": "b"], preservesValueInHistoryOnDeletion: true,
                allowsCloudEncryption: true, usesScalarValueType: false, isSyncable: false, isSpotlightIndexed: true,
                isStoredInTruthFile: true),
        ]
        heir.relationships = [
            RelationshipDescription(
                name: "others", destinationEntityName: "Heir", inverseName: "owner", isToMany: true, isOrdered: true,
                minimumCount: 1, maximumCount: 9, deleteRule: .deny, renamingIdentifier: "old",
                versionHashModifier: "m", userInfo: ["a": "b"], isIndexed: true, isSyncable: false,
                isSpotlightIndexed: true, isStoredInTruthFile: true),
            RelationshipDescription(
                name: "owner", destinationEntityName: "Heir", inverseName: "others", isOptional: false,
                isTransient: true, minimumCount: 1, deleteRule: .noAction),
        ]
        heir.fetchedProperties = [
            FetchedPropertyDescription(
                name: "fetched", fetchRequest: FetchRequestTemplate(name: "f", entityName: "Base"), isOptional: false,
                isSyncable: false, userInfo: ["x": "y"])
        ]
        heir.fetchIndexes = [
            FetchIndexDescription(
                name: "i",
                elements: [FetchIndexElementDescription(propertyName: "all", collation: .rTree, isAscending: false)],
                partialIndexPredicate: "all != nil")
        ]
        heir.compoundIndexes = [["all", "unit"], ["all"]]
        heir.uniquenessConstraints = [["all", "unit"]]
        let request = FetchRequestTemplate(
            name: "r", entityName: "Heir", predicateFormat: "all == \"x\" && 1 < 2", fetchLimit: 1, fetchBatchSize: 2,
            resultType: 2, includesSubentities: false, includesPropertyValues: false, includesPendingChanges: false,
            returnsObjectsAsFaults: false, returnsDistinctResults: true)
        return ManagedObjectModel(
            entities: [base, heir],
            composites: [
                CompositeDescription(name: "Unit", elements: [AttributeDescription(name: "symbol", type: .string)])
            ],
            configurations: [
                ConfigurationDescription(name: "Cloud", entityNames: ["Heir"], isUsedWithCloudKit: true),
                ConfigurationDescription(name: "Empty", entityNames: []),
            ], fetchRequestTemplates: [request], versionIdentifiers: ["v 1"])
    }
}
