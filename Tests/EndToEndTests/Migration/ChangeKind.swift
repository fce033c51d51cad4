import GeneratedStores
import ManagedObjectModels

/// A kind of change that inference supports (docs/format/migration.md#what-inference-supports), as two versions of a
/// model.
struct ChangeKind: Sendable, CustomStringConvertible {
    let name: String
    let source: [EntityDescription]
    let destination: [EntityDescription]
    var composites: [CompositeDescription] = []

    var description: String { name }

    init(
        _ name: String, _ source: [EntityDescription], _ destination: [EntityDescription],
        composites: [CompositeDescription] = []
    ) {
        self.name = name
        self.source = source
        self.destination = destination
        self.composites = composites
    }

    static let all = attributes + relationships + manyToMany + entities + specials

    // MARK: - Attributes

    private static let attributes = [
        ChangeKind(
            "attribute added, with and without default", [entity("A", [attribute("x")])],
            [
                entity(
                    "A",
                    [
                        attribute("x"), attribute("y", .integer32), attribute("z", default: .string("it's")),
                        attribute("d", .double, optional: false, default: .real(0.1)),
                    ])
            ]),
        ChangeKind(
            "attribute removed", [entity("A", [attribute("x"), attribute("y", .date)])], [entity("A", [attribute("x")])]
        ),
        ChangeKind(
            "attribute renamed", [entity("A", [attribute("x"), attribute("y")])],
            [entity("A", [attribute("z", renamedFrom: "x"), attribute("y")])]),
        ChangeKind(
            "two attributes exchange their names", [entity("A", [attribute("x"), attribute("y", .integer32)])],
            [entity("A", [attribute("y", renamedFrom: "x"), attribute("x", .integer32, renamedFrom: "y")])]),
        ChangeKind(
            "optional becomes required with a default", [entity("A", [attribute("x"), attribute("n", .float)])],
            [
                entity(
                    "A",
                    [
                        attribute("x", optional: false, default: .string("none")),
                        attribute("n", .float, optional: false, default: .real(0.1)),
                    ])
            ]),
        ChangeKind(
            "required becomes optional", [entity("A", [attribute("x", optional: false)])],
            [entity("A", [attribute("x")])]),
        ChangeKind(
            "attribute moves up", family([attribute("x")], parent: []), family([], parent: [attribute("x")])),
        ChangeKind(
            "attribute moves down", family([], parent: [attribute("x")]), family([attribute("x")], parent: [])),
        ChangeKind(
            "external storage is switched on", [entity("A", [attribute("data", .binaryData)])],
            [entity("A", [attribute("data", .binaryData, external: true)])]),
        ChangeKind(
            "external storage is switched off", [entity("A", [attribute("data", .binaryData, external: true)])],
            [entity("A", [attribute("data", .binaryData)])]),
        ChangeKind(
            "external storage stays, and the attribute gets another name",
            [entity("A", [attribute("data", .binaryData, external: true)])],
            [entity("A", [attribute("photo", .binaryData, renamedFrom: "data", external: true)])]),
    ]

    /// A parent with two children, one of which has the attributes.
    private static func family(
        _ child: [AttributeDescription], parent: [AttributeDescription]
    ) -> [EntityDescription] {
        [
            entity("Parent", [attribute("p")] + parent), entity("Child", parent: "Parent", child),
            entity("Other", parent: "Parent", [attribute("o", .integer16)]),
        ]
    }

    // MARK: - Relationships

    private static let relationships = [
        ChangeKind("relationship added", pair([], []), pair([toB(many: false)], [toA(many: true)])),
        ChangeKind("relationship removed", pair([toB(many: false)], [toA(many: true)]), pair([], [])),
        ChangeKind(
            "relationship renamed, on both sides", pair([toB(many: false)], [toA(many: true)]),
            pair(
                [relationship("newB", to: "B", inverse: "newA", renamedFrom: "b")],
                [relationship("newA", to: "A", inverse: "newB", many: true, renamedFrom: "a")])),
        ChangeKind(
            "to-one becomes to-many", pair([toB(many: false)], [toA(many: true)]),
            pair([toB(many: true)], [toA(many: true)])),
        ChangeKind(
            "one-to-one becomes one-to-many", pair([toB(many: false)], [toA(many: false)]),
            pair([toB(many: true)], [toA(many: false)])),
        ChangeKind(
            "unordered becomes ordered", pair([toB(many: false)], [toA(many: true)]),
            pair([toB(many: false)], [toA(many: true, ordered: true)])),
        ChangeKind(
            "ordered becomes unordered", pair([toB(many: false)], [toA(many: true, ordered: true)]),
            pair([toB(many: false)], [toA(many: true)])),
        ChangeKind(
            "to-many without inverse, which gets one", pair([relationship("b", to: "B", many: true)], []),
            pair([toB(many: true)], [toA(many: false)])),
        ChangeKind(
            "one-to-many loses its inverse", pair([toB(many: true)], [toA(many: false)]),
            pair([relationship("b", to: "B", many: true)], [])),
        ChangeKind(
            "to-many without inverse, ordered from now on", pair([relationship("b", to: "B", many: true)], []),
            pair([relationship("b", to: "B", many: true, ordered: true)], [])),
        ChangeKind(
            "one-to-one keeps its links under other names", pair([toB(many: false)], [toA(many: false)]),
            pair(
                [relationship("other", to: "B", inverse: "a", renamedFrom: "b")],
                [relationship("a", to: "A", inverse: "other")])),
        ChangeKind(
            "the destination becomes the parent",
            [
                entity("P"), entity("C", parent: "P", [attribute("x")]),
                entity("A", [], [relationship("c", to: "C")]),
            ],
            [
                entity("P"), entity("C", parent: "P", [attribute("x")]),
                entity("A", [], [relationship("c", to: "P")]),
            ]),
        ChangeKind(
            "relationship moves up",
            [
                entity("P"), entity("C", parent: "P", [], [relationship("b", to: "B", inverse: "c")]),
                entity("B", [attribute("x")], [relationship("c", to: "C", inverse: "b", many: true)]),
            ],
            [
                entity("P", [], [relationship("b", to: "B", inverse: "c")]), entity("C", parent: "P"),
                entity("B", [attribute("x")], [relationship("c", to: "P", inverse: "b", many: true)]),
            ]),
    ]

    private static func toB(many: Bool) -> RelationshipDescription {
        relationship("b", to: "B", inverse: "a", many: many)
    }

    private static func toA(many: Bool, ordered: Bool = false) -> RelationshipDescription {
        relationship("a", to: "A", inverse: "b", many: many, ordered: ordered)
    }

    private static func pair(
        _ a: [RelationshipDescription], _ b: [RelationshipDescription]
    ) -> [EntityDescription] {
        [entity("A", [attribute("x")], a), entity("B", [attribute("y")], b)]
    }

    // MARK: - Many-to-many

    private static let manyToMany = [
        ChangeKind(
            "many-to-many renamed", pair([toB(many: true)], [toA(many: true)]),
            pair(
                [relationship("bees", to: "B", inverse: "a", many: true, renamedFrom: "b")],
                [relationship("a", to: "A", inverse: "bees", many: true)])),
        ChangeKind(
            "many-to-many becomes ordered on both sides", pair([toB(many: true)], [toA(many: true)]),
            pair(
                [relationship("b", to: "B", inverse: "a", many: true, ordered: true)], [toA(many: true, ordered: true)])
        ),
        ChangeKind(
            "many-to-many between entities that get other numbers",
            pair([toB(many: true)], [toA(many: true)]),
            [entity("0"), entity("5")] + pair([toB(many: true)], [toA(many: true)])),
        ChangeKind(
            "reflexive many-to-many renamed", [entity("A", [attribute("x")], reflexive("up", "down"))],
            [
                entity(
                    "A", [attribute("x")],
                    [
                        relationship("over", to: "A", inverse: "under", many: true, renamedFrom: "up"),
                        relationship("under", to: "A", inverse: "over", many: true, renamedFrom: "down"),
                    ])
            ]),
        ChangeKind(
            "self-inverse many-to-many renamed",
            [entity("A", [attribute("x")], [relationship("kin", to: "A", inverse: "kin", many: true)])],
            [
                entity(
                    "A", [attribute("x")],
                    [relationship("family", to: "A", inverse: "family", many: true, renamedFrom: "kin")])
            ]),
        ChangeKind(
            "self-inverse to-one becomes to-many",
            [entity("A", [attribute("x")], [relationship("mate", to: "A", inverse: "mate")])],
            [entity("A", [attribute("x")], [relationship("mate", to: "A", inverse: "mate", many: true)])]),
    ]

    private static func reflexive(_ first: String, _ second: String) -> [RelationshipDescription] {
        [
            relationship(first, to: "A", inverse: second, many: true),
            relationship(second, to: "A", inverse: first, many: true),
        ]
    }

    // MARK: - Entities

    private static let entities = [
        ChangeKind("entity added", [entity("M", [attribute("x")])], [entity("A"), entity("M", [attribute("x")])]),
        ChangeKind(
            "entity removed", [entity("A"), entity("M", [attribute("x")])], [entity("M", [attribute("x")])]),
        ChangeKind(
            "entity renamed", pair([toB(many: false)], [toA(many: true)]),
            [
                entity("Z", renamedFrom: "A", [attribute("x")], [toB(many: false)]),
                entity("B", [attribute("y")], [relationship("a", to: "Z", inverse: "b", many: true)]),
            ]),
        ChangeKind(
            "two entities exchange their names", [entity("A", [attribute("x")]), entity("B", [attribute("y", .date)])],
            [
                entity("B", renamedFrom: "A", [attribute("x")]),
                entity("A", renamedFrom: "B", [attribute("y", .date)]),
            ]),
        ChangeKind(
            "new parent", pair([toB(many: false)], [toA(many: true)]),
            [
                entity("Top", abstract: true, [attribute("x")]), entity("A", parent: "Top", [], [toB(many: false)]),
                entity("B", [attribute("y")], [toA(many: true)]),
            ]),
        ChangeKind(
            "new child", pair([toB(many: false)], [toA(many: true)]),
            pair([toB(many: false)], [toA(many: true)]) + [entity("AA", parent: "A", [attribute("z")])]),
        ChangeKind(
            "child moves out of the hierarchy", [entity("P", [attribute("x")]), entity("C", parent: "P")],
            [entity("P", [attribute("x")]), entity("C", [attribute("x")])]),
        ChangeKind(
            "an entity with subentities loses its parent",
            [entity("P", abstract: true), entity("C", parent: "P", [attribute("x")]), entity("D", parent: "C")],
            [entity("C", [attribute("x")]), entity("D", parent: "C")]),
        ChangeKind(
            "child moves to another branch",
            [
                entity("P"), entity("C", parent: "P"), entity("D", parent: "C", [attribute("x")]),
                entity("E", parent: "P"),
            ],
            [
                entity("P"), entity("C", parent: "P"), entity("D", parent: "E", [attribute("x")]),
                entity("E", parent: "P"),
            ]),
        ChangeKind(
            "parent removed, its children stay",
            [entity("P", abstract: true, [attribute("x")]), entity("C", parent: "P"), entity("D", parent: "P")],
            [entity("C", [attribute("x")]), entity("D", [attribute("x")])]),
    ]

    // MARK: - Special

    private static let specials = [
        ChangeKind(
            "derived attributes added",
            pair([toB(many: false)], [toA(many: true)]),
            [
                entity("A", [attribute("x"), attribute("yOfB", derived: "b.y")], [toB(many: false)]),
                entity(
                    "B",
                    [
                        attribute("y"), attribute("count", .integer64, derived: "a.@count"),
                        attribute("changed", .date, derived: "now()"),
                    ], [toA(many: true)]),
            ]),
        ChangeKind(
            "what a derived attribute counts gets another name",
            [
                entity("A", [attribute("x")], [toB(many: false)]),
                entity("B", [attribute("count", .integer64, derived: "a.@count")], [toA(many: true)]),
            ],
            [
                entity("A", [attribute("x")], [relationship("b", to: "B", inverse: "parts")]),
                entity(
                    "B", [attribute("count", .integer64, derived: "parts.@count")],
                    [relationship("parts", to: "A", inverse: "b", many: true, renamedFrom: "a")]),
            ]),
        ChangeKind(
            "composite attribute beside a new one",
            [entity("A", [place])], [entity("A", [place, attribute("x", .integer16, default: .integer(7))])],
            composites: [
                CompositeDescription(name: "Place", elements: [attribute("street"), attribute("floor", .integer16)])
            ]),
        ChangeKind(
            "uniqueness constraint added", [entity("A", [attribute("code"), attribute("x")])],
            [entity("A", unique: [["code"]], [attribute("code"), attribute("x")])]),
        ChangeKind(
            "uniqueness constraint removed", [entity("A", unique: [["code"]], [attribute("code"), attribute("x")])],
            [entity("A", [attribute("code"), attribute("x"), attribute("y")])]),
    ]

    private static let place = AttributeDescription(
        name: "home", type: .composite, isOptional: true, compositeName: "Place")
}
