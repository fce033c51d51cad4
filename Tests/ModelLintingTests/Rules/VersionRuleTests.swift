import ModelLinting
import Testing

/// A model with one fault for each rule, and what is found in it.
@Suite struct VersionRuleTests {
    struct Sample: Sendable, CustomTestStringConvertible {
        let name: String
        let entities: String
        let findings: [String]
        var header = ""
        var testDescription: String { name }
    }

    private static let other =
        "<entity name=\"Z\"><attribute name=\"z\" optional=\"YES\" attributeType=\"String\"/></entity>"

    static let samples: [Sample] = [
        Sample(name: "nothing", entities: other, findings: []),
        Sample(
            name: "names",
            entities: """
                <entity name="a">
                <attribute name="description" optional="YES" attributeType="String"/>
                <attribute name="deleted" optional="YES" attributeType="String"/>
                <attribute name="two words" optional="YES" attributeType="String"/>
                <attribute name="Big" optional="YES" attributeType="String"/>
                <attribute name="BIG" optional="YES" attributeType="String"/>
                <relationship name="objectID" optional="YES" maxCount="1" destinationEntity="a" inverseName="objectID"/>
                </entity>
                <entity name="A"/>
                """,
            findings: [
                "FM104 a :3", "FM101 a.description :4", "FM102 a.deleted :5", "FM103 a.two words :6", "FM104 a.Big :7",
                "FM104 a.BIG :8", "FM105 a.Big :7", "FM101 a.objectID :9", "FM105 a :3",
            ]),
        Sample(
            name: "subentities",
            entities: """
                <entity name="P" isAbstract="YES"><attribute name="x" optional="YES" attributeType="String"/></entity>
                <entity name="Q" parentEntity="P"><attribute name="x" optional="YES" attributeType="String"/></entity>
                <entity name="R" isAbstract="YES"/>
                """,
            findings: ["FM106 Q.x :4", "FM401 R :5"]),
        Sample(
            name: "identifiers and classes",
            entities: """
                <entity name="A" elementID="Old" representedClassName="C" codeGenerationType="class">
                <attribute name="x" optional="YES" attributeType="String" elementID="w"/>
                <attribute name="y" optional="YES" attributeType="String" elementID="w"/>
                </entity>
                <entity name="B" elementID="Old" representedClassName="C" codeGenerationType="class"/>
                <entity name="D" representedClassName="C" codeGenerationType="category"/>
                """,
            findings: ["FM107 A.y :5", "FM107 B :7", "FM108 B :7"]),
        Sample(
            name: "names that are identifiers",
            entities: """
                <entity name="A">
                <attribute name="x" optional="YES" attributeType="String"/>
                <attribute name="y" optional="YES" attributeType="String" elementID="x"/>
                <attribute name="z" optional="YES" attributeType="String" elementID="z"/>
                </entity>
                <entity name="B" elementID="C"/>
                <entity name="C"/>
                """,
            findings: ["FM107 A.y :5", "FM107 B :8"]),
        Sample(
            name: "attributes",
            entities: """
                <entity name="A">
                <attribute name="a" optional="YES"/>
                <attribute name="b" optional="YES" attributeType="Integer 16" defaultValueString="9" maxValueString="5"/>
                <attribute name="c" optional="YES" attributeType="Double" minValueString="3" maxValueString="2.5"/>
                <attribute name="d" optional="YES" attributeType="String" regularExpressionString="[a-"/>
                <attribute name="e" attributeType="Boolean"/>
                <attribute name="f" optional="YES" attributeType="Transformable"/>
                <attribute name="g" optional="YES" attributeType="Float" usesScalarValueType="YES"/>
                <attribute name="h" optional="YES" attributeType="Date" derived="YES" derivationExpression="nothing.x"/>
                <attribute name="i" optional="YES" attributeType="String" allowsExternalBinaryDataStorage="YES"/>
                <attribute name="j" optional="YES" attributeType="Transformable" valueTransformerName="NSSecureUnarchiveFromDataTransformerName"/>
                <attribute name="k" attributeType="String" defaultValueString="ab" minValueString="3"/>
                <attribute name="l" attributeType="String" defaultValueString="abc" regularExpressionString="a|ab"/>
                <attribute name="m" optional="YES" transient="YES"/>
                <attribute name="n" optional="YES" attributeType="Transformable" valueTransformerName="NSSecureUnarchiveFromData"/>
                <attribute name="o" optional="YES" attributeType="Date" derived="YES" derivationExpression="now()"/>
                <attribute name="p" attributeType="String" defaultValueString="ab" regularExpressionString="a|ab"/>
                <attribute name="q" optional="YES" attributeType="Integer 32" defaultValueString="many"/>
                <attribute name="r" optional="YES" attributeType="Boolean" derived="YES" derivationExpression="YES"/>
                <attribute name="s" optional="YES" attributeType="Integer 32" derived="YES" derivationExpression="#q"/>
                </entity>
                """,
            findings: [
                "FM201 A.a :4", "FM202 A.b :5", "FM203 A.c :6", "FM204 A.d :7", "FM205 A.e :8", "FM206 A.f :9",
                "FM207 A.g :10", "FM208 A.h :11", "FM209 A.i :12", "FM210 A.j :13", "FM202 A.k :14", "FM202 A.l :15",
                "FM008 A.q :20",
            ]),
        // Whether the default matches takes too many steps to find out.
        Sample(
            name: "a pattern that takes too long",
            entities: """
                <entity name="A">
                <attribute name="a" optional="YES" attributeType="String" regularExpressionString="(x+x+)+y" \
                defaultValueString="xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx"/>
                </entity>
                """, findings: []),
        Sample(
            name: "inverses",
            entities: """
                <entity name="A">
                <relationship name="alone" optional="YES" maxCount="1" destinationEntity="B"/>
                <relationship name="gone" optional="YES" maxCount="1" destinationEntity="B" inverseName="nothing"/>
                <relationship name="odd" optional="YES" maxCount="1" destinationEntity="B" inverseName="as"/>
                <relationship name="right" optional="YES" maxCount="1" destinationEntity="B" inverseName="as"/>
                </entity>
                <entity name="B">
                <relationship name="as" optional="YES" toMany="YES" destinationEntity="A" inverseName="right"/>
                </entity>
                """,
            findings: ["FM301 A.alone :4", "FM302 A.gone :5", "FM303 A.odd :6"]),
        Sample(
            name: "counts and delete rules",
            entities: """
                <entity name="A">
                <relationship name="a" toMany="YES" destinationEntity="A" inverseName="a"/>
                <relationship name="b" optional="YES" toMany="YES" minCount="3" maxCount="2" destinationEntity="A" inverseName="b"/>
                <relationship name="c" optional="YES" toMany="YES" maxCount="1" destinationEntity="A" inverseName="c"/>
                <relationship name="d" optional="YES" maxCount="4" destinationEntity="A" inverseName="d"/>
                <relationship name="e" optional="YES" maxCount="1" ordered="YES" destinationEntity="A" inverseName="e"/>
                <relationship name="f" optional="YES" maxCount="1" deletionRule="No Action" destinationEntity="A" inverseName="f"/>
                <relationship name="bs" optional="YES" toMany="YES" deletionRule="Cascade" destinationEntity="B" inverseName="as"/>
                <relationship name="c1" optional="YES" toMany="YES" deletionRule="Cascade" destinationEntity="C" inverseName="a1"/>
                <relationship name="own" optional="YES" maxCount="1" deletionRule="Cascade" destinationEntity="C" inverseName="owner"/>
                </entity>
                <entity name="B">
                <relationship name="as" optional="YES" toMany="YES" deletionRule="Nullify" destinationEntity="A" inverseName="bs"/>
                </entity>
                <entity name="C">
                <relationship name="a1" optional="YES" maxCount="1" deletionRule="Cascade" destinationEntity="A" inverseName="c1"/>
                <relationship name="owner" optional="YES" maxCount="1" deletionRule="Cascade" destinationEntity="A" inverseName="own"/>
                <relationship name="ds" optional="YES" toMany="YES" deletionRule="Nullify" destinationEntity="D" inverseName="c"/>
                </entity>
                <entity name="D"><relationship name="c" maxCount="1" destinationEntity="C" inverseName="ds"/></entity>
                """,
            findings: [
                "FM304 A.a :4", "FM305 A.b :5", "FM306 A.c :6", "FM306 A.d :7", "FM311 A.e :8", "FM307 A.f :9",
                "FM310 A.bs :10", "FM308 C.a1 :18", "FM312 C.ds :20",
            ]),
        Sample(
            name: "a circle of cascades",
            entities: """
                <entity name="A"><relationship name="b" optional="YES" maxCount="1" deletionRule="Cascade" destinationEntity="B" inverseName="a"/>
                <relationship name="c" optional="YES" maxCount="1" deletionRule="Nullify" destinationEntity="C" inverseName="a"/></entity>
                <entity name="B"><relationship name="c" optional="YES" maxCount="1" deletionRule="Cascade" destinationEntity="C" inverseName="b"/>
                <relationship name="a" optional="YES" maxCount="1" deletionRule="Nullify" destinationEntity="A" inverseName="b"/></entity>
                <entity name="C"><relationship name="a" optional="YES" maxCount="1" deletionRule="Cascade" destinationEntity="A" inverseName="c"/>
                <relationship name="b" optional="YES" maxCount="1" deletionRule="Nullify" destinationEntity="B" inverseName="c"/></entity>
                """,
            findings: ["FM309 A.b :3"]),
        Sample(
            name: "constraints and indexes",
            entities: """
                <entity name="A">
                <attribute name="x" optional="YES" attributeType="String" indexed="YES"/>
                <attribute name="t" optional="YES" transient="YES" attributeType="String"/>
                <fetchIndex name="byX"><fetchIndexElement property="x" type="Binary" order="ascending"/></fetchIndex>
                <fetchIndex name="again"><fetchIndexElement property="x" type="Binary" order="ascending"/></fetchIndex>
                <fetchIndex name="part" partialIndexPredicate="x ="><fetchIndexElement property="x" type="Binary" order="ascending"/></fetchIndex>
                <fetchIndex name="byNothing"><fetchIndexElement property="nothing" type="Binary" order="ascending"/></fetchIndex>
                <uniquenessConstraints>
                <uniquenessConstraint><constraint value="x"/></uniquenessConstraint>
                <uniquenessConstraint><constraint value="x"/></uniquenessConstraint>
                <uniquenessConstraint><constraint value="t"/></uniquenessConstraint>
                </uniquenessConstraints>
                <compoundIndexes><compoundIndex><index value="x"/></compoundIndex></compoundIndexes>
                </entity>
                <entity name="B" coreSpotlightDisplayNameExpression="x +">
                <attribute name="x" optional="YES" attributeType="String"/>
                <fetchIndex name="low"><fetchIndexElement expression="lowercase:(" type="Binary"/></fetchIndex>
                </entity>
                """,
            findings: [
                "FM405 A :3", "FM406 A.again :7", "FM410 A.part :8", "FM404 A.byNothing :9", "FM403 A.x :12",
                "FM402 A.t :13", "FM410 B :17", "FM410 B.low :19",
            ]),
        Sample(
            name: "configurations and fetch requests",
            entities: """
                <entity name="A"><relationship name="b" optional="YES" maxCount="1" destinationEntity="B" inverseName="a"/></entity>
                <entity name="B"><relationship name="a" optional="YES" maxCount="1" destinationEntity="A" inverseName="b"/>
                <fetchedProperty name="f" optional="YES"><fetchRequest name="f" entity="Gone"/></fetchedProperty></entity>
                <fetchRequest name="all" entity="Gone"/>
                <fetchRequest name="bad" entity="A" predicateString="a =="/>
                <configuration name="half"><memberEntity name="A"/><memberEntity name="Gone"/></configuration>
                <entity name="C" parentEntity="A"/><entity name="D" parentEntity="C"/>
                <configuration name="top"><memberEntity name="A"/><memberEntity name="B"/></configuration>
                <configuration name="low"><memberEntity name="B"/><memberEntity name="D"/></configuration>
                """,
            findings: [
                "FM408 A.b :3", "FM409 B.f :5", "FM409 all :6", "FM410 bad :7", "FM407 half :8", "FM407 low :11",
            ]),
        Sample(
            name: "CloudKit",
            entities: """
                <entity name="A">
                <attribute name="x" attributeType="String"/>
                <attribute name="y" attributeType="String" defaultValueString=""/>
                <relationship name="b" maxCount="1" deletionRule="Deny" destinationEntity="A" inverseName="b"/>
                <relationship name="c" optional="YES" toMany="YES" ordered="YES" deletionRule="Nullify" destinationEntity="A"/>
                <uniquenessConstraints><uniquenessConstraint><constraint value="x"/></uniquenessConstraint></uniquenessConstraints>
                </entity>
                """,
            findings: [
                "FM501 A.x :4", "FM504 A.b :6", "FM506 A.b :6", "FM301 A.c :7", "FM503 A.c :7", "FM505 A.c :7",
                "FM502 A :8",
            ],
            header: "usedWithCloudKit=\"YES\""),
        Sample(
            name: "unknown parts of the document",
            entities:
                "<entity name=\"A\"><thing/><userInfo><entry key=\"k\" value=\"1\"/><entry key=\"k\" value=\"2\"/></userInfo></entity>",
            findings: ["FM007 A :3", "FM009 A :3"]),
    ]

    @Test(arguments: samples)
    func eachFaultIsFoundOnItsLineAndNothingElse(sample: Sample) throws {
        let found = try ModelFolder(sample.entities, header: sample.header).listing()
        #expect(Set(found) == Set(sample.findings))
        #expect(found.count == sample.findings.count)
    }

    @Test func everyRuleForAVersionHasASample() {
        let shown = Set(Self.samples.flatMap(\.findings).map { String($0.prefix(5)) })
        let broken: Set<String> = ["FM001", "FM002", "FM003", "FM004", "FM005", "FM006", "FM011"]
        let known = LintCode.allCases.filter { $0.scope == .version }.map(\.rawValue)
        // A bundle's own findings have a test of their own; no document can give an attribute the type Object ID alone.
        #expect(Set(known).subtracting(shown).subtracting(broken) == ["FM010", "FM507"])
    }

    @Test(arguments: [
        ("<entity name=\"A\"/><entity name=\"A\"/>", "FM001"),
        ("<entity/>", "FM002"),
        ("<entity name=\"A\" parentEntity=\"B\"/>", "FM003"),
        ("<entity name=\"A\" parentEntity=\"B\"/><entity name=\"B\" parentEntity=\"A\"/>", "FM004"),
        ("<entity name=\"A\"><relationship name=\"r\" destinationEntity=\"B\"/></entity>", "FM005"),
        ("<entity name=\"A\"><attribute name=\"c\" attributeType=\"Composite\" composite=\"C\"/></entity>", "FM006"),
        ("<<<<<<< HEAD", "FM011"),
    ])
    func aModelThatIsNoneIsAFinding(entities: String, code: String) throws {
        let findings = try ModelFolder(entities).findings()
        #expect(findings.map(\.code.rawValue) == [code])
        #expect(findings.first?.line == 3)
        #expect(findings.first?.severity == .error)
    }

    @Test func anUndefinedTypeUnderCloudKitIsBothFindings() throws {
        let found = try ModelFolder(
            "<entity name=\"A\"><attribute name=\"x\" optional=\"YES\"/></entity>", header: "usedWithCloudKit=\"YES\""
        ).listing()
        #expect(found == ["FM201 A.x :3", "FM507 A.x :3"])
    }

    @Test(arguments: [
        ("min", "9223372036854775807", "max", "9223372036854775806", "FM203"),
        ("min", "9223372036854775806", "max", "9223372036854775807", ""),
        ("default", "9223372036854775807", "max", "9223372036854775806", "FM202"),
        ("default", "-9223372036854775808", "min", "-9223372036854775807", "FM202"),
    ])
    func wholeNumbersAreComparedExactly(_ key: String, _ value: String, _ other: String, _ limit: String, code: String)
        throws
    {
        let found = try ModelFolder(
            "<entity name=\"A\"><attribute name=\"n\" optional=\"YES\" attributeType=\"Integer 64\" "
                + "\(key)ValueString=\"\(value)\" \(other)ValueString=\"\(limit)\"/></entity>"
        ).findings()
        #expect(found.map(\.code.rawValue) == (code.isEmpty ? [] : [code]))
        if let message = found.first?.message {
            #expect(message.contains(value) && message.contains(limit), "\(message)")
        }
    }

    @Test(arguments: [
        ("uppercase:(nope)", true), ("uppercase:(s)", false), ("nope", true), ("bs.@count", false),
        ("nope.@count", true), ("sum:(bs.n)", false), ("sum:(nope.n)", true), ("now()", false),
    ])
    func aDerivationBeginsWithPropertiesInFunctionsToo(text: String, isFinding: Bool) throws {
        let found = try ModelFolder(
            """
            <entity name="A">
            <attribute name="d" optional="YES" attributeType="String" derived="YES" derivationExpression="\(text)"/>
            <attribute name="s" optional="YES" attributeType="String"/>
            <relationship name="bs" optional="YES" toMany="YES" destinationEntity="B" inverseName="a"/>
            </entity>
            <entity name="B"><attribute name="n" optional="YES" attributeType="Integer 16"/>
            <relationship name="a" optional="YES" maxCount="1" destinationEntity="A" inverseName="bs"/></entity>
            """
        ).listing()
        #expect(found == (isFinding ? ["FM208 A.d :4"] : []))
    }

    @Test func whatAMirroredEntityInheritsMirrorsToo() throws {
        let found = try ModelFolder(
            """
            <entity name="A">
            <attribute name="x" attributeType="String"/>
            <relationship name="a" optional="YES" maxCount="1" deletionRule="Deny" destinationEntity="A" inverseName="a"/>
            </entity>
            <entity name="B" parentEntity="A"/>
            <entity name="C" parentEntity="A"><attribute name="y" attributeType="String"/></entity>
            <configuration name="Cloud" usedWithCloudKit="YES"><memberEntity name="B"/></configuration>
            """
        ).listing()
        #expect(found == ["FM501 A.x :4", "FM504 A.a :5", "FM407 Cloud :9"])
    }

    @Test func onlyTheMarkedConfigurationMirrors() throws {
        let found = try ModelFolder(
            """
            <entity name="A"><attribute name="x" attributeType="String"/></entity>
            <entity name="B"><attribute name="x" attributeType="String"/></entity>
            <configuration name="Cloud" usedWithCloudKit="YES"><memberEntity name="B"/></configuration>
            """
        ).listing()
        #expect(found == ["FM501 B.x :4"])
    }
}
