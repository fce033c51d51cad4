import ManagedObjectModels
import Testing

@Suite
struct ModelContentsReaderTests {
    /// A document with this content in its root.
    private func read(_ content: String) throws -> ModelDocument {
        try ModelContentsReader.read(bytes: Array(modelText(content).utf8), name: "contents")
    }

    private func entity(_ content: String) throws -> EntityDescription {
        let document = try read(content)
        #expect(document.warnings.isEmpty)
        return try #require(document.model.entities.first)
    }

    @Test
    func anEntityHasAllThatItsElementSays() throws {
        let document = try read(
            """
            <entity name="B" representedClassName=".BClass" isAbstract="YES" parentEntity="A" elementID="OldB"
                versionHashModifier="2" syncable="NO" codeGenerationType="category"
                coreSpotlightDisplayNameExpression="title">
                <userInfo><entry key="k" value="v"/><entry key="empty" value=""/></userInfo>
            </entity>
            <entity name="A" syncable="YES"/>
            """)
        #expect(document.warnings.isEmpty)
        #expect(document.model.entities.map(\.name) == ["A", "B"])
        #expect(
            document.model.entity(named: "B")
                == EntityDescription(
                    name: "B", managedObjectClassName: ".BClass", isAbstract: true, superentityName: "A",
                    renamingIdentifier: "OldB", versionHashModifier: "2", userInfo: ["k": "v", "empty": ""],
                    isSyncable: false, codeGenerationType: "category", coreSpotlightDisplayNameExpression: "title"))
        #expect(document.model.entity(named: "A") == EntityDescription(name: "A"))
    }

    @Test
    func anAttributeHasAllThatItsElementSays() throws {
        let entity = try entity(
            """
            <entity name="E"><attribute name="a" optional="YES" transient="YES" attributeType="Binary" indexed="YES"
                elementID="old" versionHashModifier="m" allowsExternalBinaryDataStorage="YES"
                allowsCloudEncryption="YES" preserveAfterDeletion="YES" spotlightIndexingEnabled="YES"
                storedInTruthFile="YES" syncable="NO"
                valueTransformerName="T" customClassName="[String]" usesScalarValueType="NO">
                <userInfo><entry key="k" value="v"/></userInfo></attribute></entity>
            """)
        #expect(
            entity.attributes == [
                AttributeDescription(
                    name: "a", type: .binaryData, isOptional: true, isTransient: true, isIndexed: true,
                    renamingIdentifier: "old", versionHashModifier: "m", userInfo: ["k": "v"],
                    valueTransformerName: "T", attributeValueClassName: "[String]",
                    allowsExternalBinaryDataStorage: true, preservesValueInHistoryOnDeletion: true,
                    allowsCloudEncryption: true, usesScalarValueType: false, isSyncable: false,
                    isSpotlightIndexed: true, isStoredInTruthFile: true)
            ])
    }

    @Test(arguments: [
        (AttributeType.integer16, "-32768", AttributeValue.integer(-32_768)),
        (.integer32, "0.0", .integer(0)),
        (.integer64, "9223372036854775807", .integer(.max)),
        (.decimal, "12345678901234567890.10", .decimal("12345678901234567890.10")),
        (.double, "-1.5e3", .real(-1500)),
        (.float, "0", .real(0)),
        (.string, "YES & <no>", .string("YES & <no>")),
        (.string, "", .string("")),
        (.boolean, "YES", .boolean(true)),
        (.boolean, "0", .boolean(false)),
        (.uuid, "00112233-4455-6677-8899-AABBCCDDEEFF", .uuid((0..<16).map { UInt8($0 * 17) })),
        (.uri, "https://example.com/?a=1&b=2", .uri("https://example.com/?a=1&b=2")),
    ])
    func defaultsHaveTheAttributesType(type: AttributeType, text: String, value: AttributeValue) throws {
        let escaped = text.split(separator: "&", omittingEmptySubsequences: false).joined(separator: "&amp;")
            .split(separator: "<", omittingEmptySubsequences: false).joined(separator: "&lt;")
        let entity = try entity(
            "<entity name='E'><attribute name='a' attributeType='\(type.name)' defaultValueString='\(escaped)'/>"
                + "</entity>")
        #expect(entity.attributes.first?.defaultValue == value)
    }

    @Test(arguments: [
        (AttributeType.integer16, "32768"), (.integer32, "1.5"), (.integer64, "9223372036854775808"),
        (.decimal, "1,5"), (.double, "0x1p4"), (.float, "inf"), (.boolean, "maybe"), (.date, "yesterday"),
        (.uuid, "00112233"), (.undefined, "1"), (.transformable, "x"), (.binaryData, ""),
    ])
    func aTextThatIsNoValueOfTheTypeIsKeptAndWarnedAboutWithItsLine(type: AttributeType, text: String) throws {
        let document = try read(
            "<entity name='E'>\n<attribute name='a' attributeType='\(type.name)' defaultValueString='\(text)'/>"
                + "</entity>")
        #expect(document.model.entities.first?.attributes.first?.defaultValue == .unparsed(text))
        let warning = try #require(document.warnings.first)
        #expect(
            warning.code
                == .unparsedValue(
                    attribute: "defaultValueString", text: text, expected: "a value of the type \(type.name)"))
        #expect(warning.line == 3)
        #expect(warning.entity == "E")
        #expect(warning.property == "a")
    }

    @Test(arguments: [
        (AttributeType.integer16, "YES", AttributeValue.integer(0)), (.integer64, "NO", .integer(0)),
        (.boolean, "0.0", .boolean(false)), (.boolean, "1.0", .boolean(true)),
    ])
    func aTextThatXcodeCompilesToAValueCountsAsThatValueWithAWarning(
        type: AttributeType, text: String, value: AttributeValue
    ) throws {
        let document = try read(
            "<entity name='E'><attribute name='a' attributeType='\(type.name)' defaultValueString='\(text)'/></entity>")
        #expect(document.model.entities.first?.attributes.first?.defaultValue == value)
        #expect(document.warnings.count == 1)
    }

    @Test
    func boundsAreNumbersLengthsOfStringsOrDates() throws {
        let entity = try entity(
            """
            <entity name="E">
            <attribute name="n" attributeType="Integer 16" minValueString="-3" maxValueString="9"/>
            <attribute name="s" attributeType="String" minValueString="1" maxValueString="64"
                regularExpressionString="[a-z]*"/>
            <attribute name="d" attributeType="Date" minDateTimeInterval="284000400"
                minValueString="2010-01-01 01:00:00" defaultDateTimeInterval="-0.5" defaultValueString="some time"/>
            </entity>
            """)
        let values = entity.attributes.map(\.validation)
        #expect(values[0] == AttributeValidation(minimum: .integer(-3), maximum: .integer(9)))
        #expect(
            values[1] == AttributeValidation(minimum: .integer(1), maximum: .integer(64), regularExpression: "[a-z]*"))
        #expect(values[2] == AttributeValidation(minimum: .date(284_000_400)))
        #expect(entity.attributes[2].defaultValue == .date(-0.5))
    }

    @Test
    func aRelationshipHasAllThatItsElementSays() throws {
        let entity = try entity(
            """
            <entity name="E">
            <relationship name="one" optional="YES" minCount="1" maxCount="1" deletionRule="Nullify"
                destinationEntity="E"/>
            <relationship name="few" toMany="YES" minCount="2" maxCount="5" ordered="YES" transient="YES" indexed="YES"
                deletionRule="Cascade" destinationEntity="E" inverseName="one" inverseEntity="E" elementID="old"
                versionHashModifier="m" spotlightIndexingEnabled="YES" storedInTruthFile="YES" syncable="NO">
                <userInfo><entry key="k" value="v"/></userInfo></relationship>
            <relationship name="many" toMany="YES" deletionRule="No Action" destinationEntity="E"/>
            </entity>
            """)
        #expect(
            entity.relationships == [
                RelationshipDescription(name: "one", destinationEntityName: "E", isOptional: true, minimumCount: 1),
                RelationshipDescription(
                    name: "few", destinationEntityName: "E", inverseName: "one", isToMany: true, isOrdered: true,
                    isOptional: false, isTransient: true, minimumCount: 2, maximumCount: 5, deleteRule: .cascade,
                    renamingIdentifier: "old", versionHashModifier: "m", userInfo: ["k": "v"], isIndexed: true,
                    isSyncable: false, isSpotlightIndexed: true, isStoredInTruthFile: true),
                RelationshipDescription(
                    name: "many", destinationEntityName: "E", isToMany: true, isOptional: false, maximumCount: 0,
                    deleteRule: .noAction),
            ])
    }

    @Test
    func fetchedPropertiesIndexesAndConstraintsBelongToTheirEntity() throws {
        let entity = try entity(
            """
            <entity name="E"><attribute name="a"/><attribute name="b"/>
            <fetchedProperty name="f" optional="YES"><fetchRequest name="fetchedPropertyFetchRequest" entity="E"
                predicateString="a = $FETCH_SOURCE.b"/><userInfo><entry key="k" value="v"/></userInfo></fetchedProperty>
            <fetchIndex name="byA" partialIndexPredicate="a != nil"><fetchIndexElement property="a" type="Binary"
                order="descending"/><fetchIndexElement property="b" type="RTree" order="ascending"/></fetchIndex>
            <compoundIndexes><compoundIndex><index value="a"/><index value="b"/></compoundIndex></compoundIndexes>
            <uniquenessConstraints>
            <uniquenessConstraint><constraint value="b"/><constraint value="a"/></uniquenessConstraint>
            <uniquenessConstraint><constraint value="a"/></uniquenessConstraint></uniquenessConstraints></entity>
            """)
        #expect(
            entity.fetchedProperties == [
                FetchedPropertyDescription(
                    name: "f",
                    fetchRequest: FetchRequestTemplate(
                        name: "fetchedPropertyFetchRequest", entityName: "E", predicateFormat: "a = $FETCH_SOURCE.b"),
                    userInfo: ["k": "v"])
            ])
        #expect(
            entity.fetchIndexes == [
                FetchIndexDescription(
                    name: "byA",
                    elements: [
                        FetchIndexElementDescription(propertyName: "a", isAscending: false),
                        FetchIndexElementDescription(propertyName: "b", collation: .rTree),
                    ], partialIndexPredicate: "a != nil")
            ])
        #expect(entity.compoundIndexes == [["a", "b"]])
        #expect(entity.uniquenessConstraints == [["b", "a"], ["a"]])
    }

    @Test
    func fetchRequestsConfigurationsCompositesAndTheDiagramBelongToTheModel() throws {
        let document = try read(
            """
            <entity name="E"><attribute name="c" attributeType="Composite" composite="C"/>
            <attribute name="d" derived="YES" derivationExpression="rel.@count" attributeType="Integer 64"/></entity>
            <fetchRequest name="r" entity="E" predicateString="c == $x" resultType="2" fetchLimit="10"
                fetchBatchSize="5" includeSubentities="NO" includePropertyValues="NO" includesPendingChanges="NO"
                returnObjectsAsFaults="NO" returnDistinctResults="YES"/>
            <configuration name="Cloud" usedWithCloudKit="YES"><memberEntity name="E"/></configuration>
            <composite name="C"><attribute name="unit" optional="YES" attributeType="String"/></composite>
            <elements><element name="E" positionX="-63" positionY="1.5" width="128" height="44"/></elements>
            """)
        #expect(document.warnings.isEmpty)
        #expect(
            document.model.fetchRequestTemplates == [
                FetchRequestTemplate(
                    name: "r", entityName: "E", predicateFormat: "c == $x", fetchLimit: 10, fetchBatchSize: 5,
                    resultType: 2, includesSubentities: false, includesPropertyValues: false,
                    includesPendingChanges: false, returnsObjectsAsFaults: false, returnsDistinctResults: true)
            ])
        #expect(
            document.model.configurations == [
                ConfigurationDescription(name: "Cloud", entityNames: ["E"], isUsedWithCloudKit: true)
            ])
        #expect(
            document.model.composites == [
                CompositeDescription(
                    name: "C", elements: [AttributeDescription(name: "unit", type: .string, isOptional: true)])
            ])
        #expect(document.model.entities.first?.attributes.map(\.compositeName) == ["C", nil])
        #expect(document.model.entities.first?.attributes.map(\.derivationExpression) == [nil, "rel.@count"])
        #expect(
            document.layout == [
                CanvasElement(name: "E", positionX: "-63", positionY: "1.5", width: "128", height: "44")
            ])
    }

    @Test
    func theHeaderIsKeptInItsOrderAndTheVersionIdentifierBelongsToTheModel() throws {
        let document = try read("")
        #expect(document.header.map(\.name).prefix(2) == ["type", "documentVersion"])
        #expect(document.header.contains(ModelHeaderAttribute(name: "sourceLanguage", value: "Swift")))
        #expect(document.model.versionIdentifiers == ["v1"])
    }

    @Test
    func whatIsNotKnownIsPassedOverWithAWarningThatHasItsPlace() throws {
        let document = try read(
            """
            <entity colour="red" name="E">
            <attribute flavour="sweet" attributeType="String" name="a"><extra><deep/></extra></attribute>
            text
            <method name="m"/></entity>
            <future/>
            """)
        #expect(
            document.warnings.map(\.code) == [
                .unknownAttribute("colour", element: "entity"), .unknownAttribute("flavour", element: "attribute"),
                .unknownElement("extra", parent: "attribute"), .strayText,
                .unknownElement("method", parent: "entity"), .unknownElement("future", parent: "model"),
            ])
        #expect(document.warnings.map(\.line) == [2, 3, 3, 3, 5, 6])
        #expect(document.warnings.map(\.entity) == ["E", "E", "E", "E", "E", nil])
        #expect(document.warnings.map(\.property) == [nil, "a", "a", nil, nil, nil])
        #expect(document.model.entities.first?.attributes.map(\.name) == ["a"])
    }

    @Test
    func namesMayBeAnythingThatXMLCanHold() throws {
        let names = ["it's \"quoted\"", "SELECT", "名前", "a.b", " spaced ", "é\u{301}", "x; DROP TABLE ZE--"]
        var model = ManagedObjectModel(entities: [EntityDescription(name: "実体 & <co>")])
        model.entities[0].attributes = names.map { AttributeDescription(name: $0, type: .string) }
        let text = ModelContentsWriter(model).text()
        #expect(try ModelContentsReader.read(bytes: Array(text.utf8), name: "contents").model == model)
    }

    @Test
    func tenThousandAttributesAreRead() throws {
        let attributes = (0..<10_000).map { "<attribute name='a\($0)' attributeType='String'/>" }.joined()
        #expect(try entity("<entity name='E'>\(attributes)</entity>").attributes.count == 10_000)
    }
}

/// A source model with this content; the content begins on line 2.
func modelText(_ content: String) -> String {
    """
    <model type="com.apple.IDECoreDataModeler.DataModel" documentVersion="1.0" sourceLanguage="Swift" \
    userDefinedModelVersionIdentifier="v1">
    \(content)
    </model>
    """
}
