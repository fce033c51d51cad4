import ManagedObjectModels
import Testing

@Suite struct DerivationTests {
    @Test(arguments: [
        ("now()", Derivation.now), ("now( )", .now), ("parts.@count", .count(of: ["parts"])),
        ("count:(a.parts)", .count(of: ["a", "parts"])), ("count( #first )", .count(of: ["first"])),
        ("#size.@count", .count(of: ["size"])), ("author.name", .path(["author", "name"])),
        ("SELF.title", .path(["title"])), ("parts.@sum.weight", .other), ("count:(parts.@count)", .other),
        ("count:({1, 2})", .other), ("@count", .other), ("lowercase:(title)", .other), ("a +", .other),
        ("", .other),
    ])
    func theFormIsToldWhateverTheNotation(text: String, form: Derivation) {
        let attribute = AttributeDescription(name: "d", type: .string, derivationExpression: text)
        #expect(attribute.derivation == form)
    }

    @Test
    func anAttributeThatIsNotDerivedHasNone() {
        #expect(AttributeDescription(name: "d", type: .string).derivation == nil)
    }
}
