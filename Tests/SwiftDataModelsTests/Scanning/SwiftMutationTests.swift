import Foundation
import ManagedObjectModels
import TestSupport
import Testing

@testable import SwiftDataModels

/// Damaged sources end in declarations or an error. `FERRY_MUTATIONS` runs more of them.
@Suite struct SwiftMutationTests {
    private static let words = [
        "@Model class A {", "}", "{", "var a: ", "[A]", "\\(", "\"", "\"\"\"", "#if ", "#endif\n", "#else\n", "/*",
        "*/",
        "struct A: Codable {", "enum A: Int {", "case ", "typealias A = B.A\n", "typealias B = A.B\n", "extension A {",
        "@Relationship(inverse: \\A.a)", "Schema([A.self])", "<", ">", "(", ")", ",", ":", "=", "\n", "`", "/", "#",
        "static var models = models\n", "A.self", "VersionedSchema", ".", "?", "as ", "let x = \"a\"\n", "\u{0}",
    ]

    private func use(_ bytes: [UInt8]) {
        let declarations = SwiftDeclarations(
            [(.init(path: "a.swift", module: ""), SwiftDeclarationScanner.declarations(in: bytes))])
        let finder = SchemaFinder(declarations: declarations)
        _ = finder.plans()
        let all = SwiftDataSchema(
            name: "All", identifier: "1.0.0",
            models: declarations.types.indices.filter { declarations.types[$0].isModel },
            place: SwiftPlace(file: 0, line: 1, column: 1), problems: [])
        for schema in finder.versionedSchemas() + finder.lists() + [all] {
            let derived = ModelDerivation.derive(schema, from: declarations, moment: .current)
            if let model = try? ResolvedModel(derived.model) { _ = ModelHashes.entityHashes(of: model) }
        }
    }

    @Test(.long)
    func damagedSourcesAreReadToTheEnd() throws {
        let sample = try Array(String(contentsOfFile: Samples.path + "/Trips/Trips.swift", encoding: .utf8).utf8)
        var random = RandomNumbers(seed: UInt64(TestSettings.number("FERRY_MUTATION_SEED", default: 0)))
        for _ in 0..<TestSettings.number("FERRY_MUTATIONS", default: 400) {
            use(Mutation.mutate(sample, with: &random))
            var words: [String] = []
            for _ in 0..<Int.random(in: 1..<60, using: &random) {
                words.append(Self.words.randomElement(using: &random) ?? "")
            }
            use(Array(words.joined(separator: Bool.random(using: &random) ? " " : "").utf8))
        }
    }

    @Test(.long)
    func everyBeginningOfASourceCanBeRead() throws {
        let sample = try Array(String(contentsOfFile: Samples.path + "/Trips/Trips.swift", encoding: .utf8).utf8)
        for count in stride(from: 0, to: sample.count, by: 3) { use(Array(sample[..<count])) }
    }

    @Test
    func typesThatContainThemselvesEnd() throws {
        use(
            Array(
                """
                @Model class A { var x: S; var y: T; var z: E }
                struct S: Codable { var s: [S]; var t: T }
                struct T: Codable { var s: S }
                enum E: E, Codable { case a }
                typealias U = U?
                class B: C { } class C: B { }
                protocol P: Q { } protocol Q: P { }
                """.utf8))
    }
}
