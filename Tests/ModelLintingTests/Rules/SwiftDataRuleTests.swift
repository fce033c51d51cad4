import ModelLinting
import Testing

/// What a Core Data model has and SwiftData does not is found only where it is asked for.
@Suite struct SwiftDataRuleTests {
    private static let entities = """
        <entity name="P" isAbstract="YES"><attribute name="p" optional="YES" attributeType="String"/></entity>
        <entity name="A" parentEntity="P" elementID="Old">
        <attribute name="x"/>
        <attribute name="d" optional="YES" attributeType="Date" derived="YES" derivationExpression="now()"/>
        <attribute name="v" optional="YES" attributeType="String" minValueString="3"/>
        <attribute name="t" optional="YES" attributeType="Transformable"/>
        <attribute name="u" optional="YES" attributeType="Transformable" customClassName="NSColor"/>
        <relationship name="o" optional="YES" toMany="YES" ordered="YES" destinationEntity="A" inverseName="o"/>
        <fetchedProperty name="f"><fetchRequest name="f" entity="A"/></fetchedProperty>
        <fetchIndex name="plain"><fetchIndexElement property="v" type="Binary" order="ascending"/></fetchIndex>
        <fetchIndex name="near"><fetchIndexElement property="v" type="RTree" order="ascending"/></fetchIndex>
        </entity>
        """

    @Test func eachPartThatSwiftDataDoesNotHaveIsFoundOnItsLine() throws {
        let found = try ModelFolder(Self.entities).findings(for: .swiftData).filter { $0.code.scope == .target }
        let lines = found.map { "\($0.code.rawValue) \($0.subject ?? "-") :\($0.line ?? 0)" }
        let expected: Set<String> = [
            "FM801 P :3", "FM802 A :4", "FM803 A :4", "FM804 A.f :11", "FM805 A.o :10", "FM806 A.x :5", "FM807 A.d :6",
            "FM808 A.v :7", "FM809 A.t :8", "FM810 A :13",
        ]
        #expect(Set(lines) == expected)
        #expect(lines.count == expected.count)
        #expect(Set(found.map(\.code)) == Set(LintCode.allCases.filter { $0.scope == .target }))
    }

    @Test func withoutATargetNothingOfItIsFound() throws {
        #expect(try ModelFolder(Self.entities).findings().allSatisfy { $0.code.scope != .target })
    }
}
