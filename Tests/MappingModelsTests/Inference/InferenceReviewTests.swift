import GeneratedStores
import ManagedObjectModels
import MappingModels
import Testing

@Suite struct InferenceReviewTests {
    // MARK: What inference supports

    struct Supported: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let source: [EntityDescription]
        let destination: [EntityDescription]

        init(_ name: String, _ source: [EntityDescription], _ destination: [EntityDescription]) {
            testDescription = name
            self.source = source
            self.destination = destination
        }
    }

    static let supported: [Supported] = [
        Supported("attribute added", [entity("A")], [entity("A", [attribute("x")])]),
        Supported(
            "required attribute with a default added", [entity("A")],
            [entity("A", [attribute("x", optional: false, default: .string(""))])]),
        Supported("attribute removed", [entity("A", [attribute("x")])], [entity("A")]),
        Supported(
            "required becomes optional", [entity("A", [attribute("x", optional: false)])],
            [entity("A", [attribute("x")])]),
        Supported(
            "optional becomes required with a default", [entity("A", [attribute("x", .integer16)])],
            [entity("A", [attribute("x", .integer16, optional: false, default: .integer(0))])]),
        Supported(
            "attribute renamed", [entity("A", [attribute("x")])],
            [entity("A", [attribute("y", optional: true, renamedFrom: "x")])]),
        Supported(
            "derived attribute changes its type", [entity("A", [attribute("x", .date, derived: "now()")])],
            [entity("A", [attribute("x", .integer64, derived: "rel.@count")])]),
        Supported(
            "stored attribute becomes derived", [entity("A", [attribute("x", .string)])],
            [entity("A", [attribute("x", .date, optional: false, derived: "now()")])]),
        Supported(
            "required derived attribute added", [entity("A")],
            [entity("A", [attribute("x", .date, optional: false, derived: "now()")])]),
        Supported(
            "transient attribute changes its type", [entity("A", [attribute("x", .string, transient: true)])],
            [entity("A", [attribute("x", .date, transient: true)])]),
        Supported(
            "attribute of another type under a new name", [entity("A", [attribute("x", .string)])],
            [entity("A", [attribute("y", .date)])]),
        Supported(
            "relationship added", [entity("A"), entity("B")],
            [entity("A", [], [relationship("b", to: "B")]), entity("B")]),
        Supported(
            "to-one becomes to-many",
            [
                entity(
                    "A", [],
                    [relationship("a", to: "A", inverse: "b"), relationship("b", to: "A", inverse: "a", many: true)])
            ],
            [
                entity(
                    "A", [],
                    [
                        relationship("a", to: "A", inverse: "b", many: true),
                        relationship("b", to: "A", inverse: "a", many: true),
                    ])
            ]),
        Supported(
            "unordered becomes ordered", [entity("A", [], [relationship("a", to: "A", many: true)])],
            [entity("A", [], [relationship("a", to: "A", many: true, ordered: true)])]),
        Supported(
            "ordered becomes unordered", [entity("A", [], [relationship("a", to: "A", many: true, ordered: true)])],
            [entity("A", [], [relationship("a", to: "A", many: true)])]),
        Supported("entity added", [entity("A")], [entity("A"), entity("B", [attribute("x", optional: false)])]),
        Supported("entity removed", [entity("A"), entity("B")], [entity("A")]),
        Supported("entity renamed", [entity("A")], [entity("B", renamedFrom: "A")]),
        Supported("new parent above one entity", [entity("A")], [entity("P"), entity("A", parent: "P")]),
        Supported("new child", [entity("A")], [entity("A"), entity("B", parent: "A")]),
        Supported(
            "new parent between, above two siblings",
            [entity("P"), entity("A", parent: "P"), entity("B", parent: "P")],
            [entity("P"), entity("M", parent: "P"), entity("A", parent: "M"), entity("B", parent: "M")]),
        Supported(
            "attribute moves up", [entity("P"), entity("A", parent: "P", [attribute("x")])],
            [entity("P", [attribute("x")]), entity("A", parent: "P")]),
        Supported(
            "required attribute moves up to an abstract parent",
            [entity("P", abstract: true), entity("A", parent: "P", [attribute("x", optional: false)])],
            [entity("P", abstract: true, [attribute("x", optional: false)]), entity("A", parent: "P")]),
        Supported(
            "attribute moves down", [entity("P", [attribute("x")]), entity("A", parent: "P")],
            [entity("P"), entity("A", parent: "P", [attribute("x")])]),
        Supported(
            "entity moves out of a hierarchy", [entity("P"), entity("A", parent: "P")], [entity("P"), entity("A")]),
        Supported(
            "the removed parent's two subentities stand alone",
            [entity("P"), entity("A", parent: "P"), entity("B", parent: "P")], [entity("A"), entity("B")]),
        Supported(
            "abstract entity becomes concrete", [entity("A", abstract: true)], [entity("A")]),
        Supported(
            "destination widened to the parent",
            [entity("P"), entity("A", parent: "P"), entity("B", [], [relationship("r", to: "A")])],
            [entity("P"), entity("A", parent: "P"), entity("B", [], [relationship("r", to: "P")])]),
        Supported(
            "inverse of a to-many added",
            [entity("A"), entity("B", [], [relationship("a", to: "A")])],
            [
                entity("A", [], [relationship("bs", to: "B", inverse: "a", many: true)]),
                entity("B", [], [relationship("a", to: "A", inverse: "bs")]),
            ]),
        Supported(
            "constraint on fewer properties covers one on more",
            [entity("A", unique: [["x"]], [attribute("x"), attribute("y")])],
            [entity("A", unique: [["y", "x"]], [attribute("x"), attribute("y")])]),
        Supported(
            "constraint follows a renamed attribute", [entity("A", unique: [["x"]], [attribute("x")])],
            [entity("A", unique: [["y"]], [attribute("y", renamedFrom: "x")])]),
        Supported(
            "constraint moves down to the only subentity",
            [entity("P", abstract: true, unique: [["x"]], [attribute("x")]), entity("A", parent: "P")],
            [entity("P", abstract: true, [attribute("x")]), entity("A", parent: "P", unique: [["x"]])]),
    ]

    @Test(arguments: supported)
    func isInferred(_ change: Supported) throws {
        #expect(try infer(change.source, change.destination).failures == [])
    }

    // MARK: What it refuses

    @Test func aChangedAttributeTypeIsRefused() throws {
        let mapping = try infer(
            [entity("A", [attribute("x", .integer64)])], [entity("A", [attribute("x", .decimal)])])
        #expect(
            mapping.failures == [
                InferenceFailure(
                    .attributeTypeChanged(from: .integer64, to: .decimal), entity: "A", property: "x",
                    sourceEntity: "A", sourceProperty: "x")
            ])
        #expect(!mapping.isInferable)
        #expect(mapping.failures.first?.cocoaCode == 134_190)
    }

    @Test func numbersAreTakenForEachOtherAndTheDataDecideWhereTheTypeIsNarrower() throws {
        let numbers: [AttributeType] = [.boolean, .integer16, .integer32, .integer64, .float, .double]
        let wider: [AttributeType: Set<AttributeType>] = [
            .boolean: Set(numbers), .integer16: [.integer32, .integer64, .float, .double],
            .integer32: [.integer64, .double], .integer64: [], .float: [.double], .double: [],
        ]
        for old in numbers {
            for new in numbers + [.decimal, .string, .date] where new != old {
                let mapping = try infer(
                    [entity("A", [attribute("x", old)])], [entity("A", [attribute("x", new)])])
                #expect(mapping.isInferable == numbers.contains(new), "\(old.name) to \(new.name)")
                guard numbers.contains(new) else { continue }
                let isWider = wider[old]?.contains(new) ?? false
                #expect(
                    mapping.failures.map(\.code) == (isWider ? [] : [.numberNarrowed(from: old, to: new)]),
                    "\(old.name) to \(new.name)")
            }
        }
    }

    @Test func aRenamedAttributeOfAnotherTypeIsRefused() throws {
        let failures = try infer(
            [entity("A", [attribute("x", .string)])], [entity("A", [attribute("y", .date, renamedFrom: "x")])]
        ).refusals
        #expect(failures.map(\.subject) == ["A.y"])
        #expect(failures.first?.sourceProperty == "x")
        #expect(failures.first?.description.contains("from String to Date (it was A.x)") == true)
    }

    /// A derived attribute is another kind of property: what has its name is new, whatever its type.
    @Test func anAttributeThatWasDerivedIsNew() throws {
        for type in [AttributeType.date, .string] {
            let former = [entity("A", [attribute("x", .date, derived: "now()")])]
            let mapping = try infer(former, [entity("A", [attribute("x", type)])])
            #expect(mapping.failures == [])
            #expect(mapping.mappingModel.entityMappings[0].attributeMappings == [PropertyMapping(name: "x")])
            let required = try infer(former, [entity("A", [attribute("x", type, optional: false)])])
            #expect(required.failures.map(\.code) == [.newAttributeWithoutDefault])
        }
    }

    /// Core Data infers no mapping for it, and says so of the models alone; the other direction it infers.
    @Test func externalDataThatMoveIntoTheStoreAreNotInferred() throws {
        func photos(_ name: String, _ type: AttributeType = .binaryData, external: Bool) -> [EntityDescription] {
            [
                entity("A", [attribute(name, type, renamedFrom: name == "y" ? "x" : nil, external: external)]),
                entity("B", parent: "A"),
            ]
        }
        let failures = try infer(photos("x", external: true), photos("y", external: false)).failures
        #expect(failures.map(\.code) == [.externalDataInlined] && failures.map(\.subject) == ["A.y"])
        #expect(failures.map(\.cocoaCode) == [134190] && failures.map(\.isRefusal) == [false])
        #expect(failures.first?.description.contains("(it was A.x)") == true)
        #expect(try infer(photos("x", external: false), photos("x", external: true)).failures == [])
        #expect(try infer(photos("x", .string, external: true), photos("x", .string, external: false)).failures == [])
    }

    @Test func anInheritedRefusalIsSaidOnce() throws {
        let failures = try infer(
            [entity("P", [attribute("x", .string)]), entity("A", parent: "P"), entity("B", parent: "P")],
            [entity("P", [attribute("x", .date)]), entity("A", parent: "P"), entity("B", parent: "P")]
        ).refusals
        #expect(failures.map(\.subject) == ["P.x"])
    }

    @Test func toManyBecomingToOneIsRefused() throws {
        let failures = try infer(
            [entity("A", [], [relationship("r", to: "A", many: true)])], [entity("A", [], [relationship("r", to: "A")])]
        ).refusals
        #expect(failures.map(\.code) == [.toManyBecameToOne])
        #expect(failures.first?.subject == "A.r")
    }

    /// What two are found by says nothing of which one goes on.
    @Test func sharedRenamingIdentifiersAreRefused() throws {
        let (x, renamed) = (attribute("x"), attribute("y", renamedFrom: "x"))
        func codes(_ old: [EntityDescription], _ new: [EntityDescription]) throws -> [String] {
            try infer(old, new).refusals.map { failure in
                guard case .sharedRenamingIdentifier(let identifier, let other) = failure.code else { return "?" }
                #expect(failure.cocoaCode == 134_190)
                return "\(failure.subject) \(identifier) \(other)"
            }
        }
        #expect(try codes([entity("A", [x])], [entity("A", [renamed])]) == [])
        #expect(try codes([entity("A", [x])], [entity("A", [renamed, x])]) == ["A.y x x"])
        #expect(try codes([entity("A", [renamed, x])], [entity("A", [renamed])]) == ["A.y x x"])
        // Nothing had the name before.
        #expect(try codes([entity("A", [attribute("z")])], [entity("A", [attribute("z"), renamed, x])]) == [])
        let (b, p) = (entity("B", renamedFrom: "A"), entity("P", abstract: true, [x]))
        #expect(try codes([entity("A")], [b]) == [])
        #expect(try codes([entity("A")], [entity("A"), b]) == ["B A A"])
        #expect(try codes([entity("A"), b], [entity("A")]) == ["B A A"])
        // Inherited properties are the entity's own, and said once.
        let children = [entity("C", parent: "P", [renamed]), entity("D", parent: "C")]
        #expect(
            try codes([p, entity("C", parent: "P"), entity("D", parent: "C")], [p] + children).count == 1)
    }

    @Test func twoRootsUnderANewParentAreRefused() throws {
        let failures = try infer(
            [entity("A"), entity("B")], [entity("P"), entity("A", parent: "P"), entity("B", parent: "P")]
        ).refusals
        #expect(failures.map(\.code) == [.mergedHierarchies(sources: ["A", "B"])])
        #expect(failures.first?.subject == "P")
        #expect(failures.first?.description.contains("the hierarchies of A and B are merged into that of P") == true)
    }

    @Test func anEntityThatMovesIntoAnotherHierarchyIsRefused() throws {
        let failures = try infer([entity("A"), entity("B")], [entity("A"), entity("B", parent: "A")]).refusals
        #expect(failures.map(\.code) == [.mergedHierarchies(sources: ["A", "B"])])
    }

    // MARK: What fails on data

    @Test func aNewRequiredAttributeWithoutDefaultFailsOnData() throws {
        let mapping = try infer([entity("A")], [entity("A", [attribute("x", optional: false)])])
        #expect(mapping.isInferable)
        #expect(mapping.dataDependentFailures.map(\.code) == [.newAttributeWithoutDefault])
        #expect(mapping.failures.first?.cocoaCode == 134_110)
        #expect(
            mapping.failures.first?.description.contains("missing attribute values on mandatory destination attribute")
                == true)
    }

    @Test func aDefaultThatDoesNotFitTheTypeIsNone() throws {
        let mapping = try infer(
            [entity("A")], [entity("A", [attribute("x", .date, optional: false, default: .unparsed("soon"))])])
        #expect(mapping.failures.map(\.code) == [.newAttributeWithoutDefault])
    }

    @Test func requiredWithoutDefaultFailsOnDataForEveryEntityThatHasObjects() throws {
        let failures = try infer(
            [entity("P", abstract: true, [attribute("x")]), entity("A", parent: "P"), entity("B", parent: "P")],
            [
                entity("P", abstract: true, [attribute("x", optional: false)]), entity("A", parent: "P"),
                entity("B", parent: "P"),
            ]
        ).failures
        #expect(failures.map(\.subject) == ["A.x", "B.x"])
        #expect(failures.allSatisfy { $0.code == .requiredWithoutDefault && $0.isDataDependent })
    }

    @Test func anAttributeThatMovedUpIsNewForTheParentOnly() throws {
        let failures = try infer(
            [entity("P"), entity("A", parent: "P", [attribute("x", optional: false)])],
            [entity("P", [attribute("x", optional: false)]), entity("A", parent: "P")]
        ).failures
        #expect(failures.map(\.subject) == ["P.x"])
    }

    @Test func aNewConstraintFailsOnDuplicates() throws {
        let failures = try infer(
            [entity("A", [attribute("x"), attribute("y")])],
            [entity("A", unique: [["x"], ["x", "y"]], [attribute("x"), attribute("y")])]
        ).failures
        #expect(
            failures.map(\.code)
                == [.newUniquenessConstraint(properties: ["x"]), .newUniquenessConstraint(properties: ["x", "y"])])
        #expect(failures.map(\.property) == ["x", nil])
        #expect(failures.first?.cocoaCode == 134_111)
    }

    @Test func aConstraintThatTwoSiblingsHadApartIsNewForTheirParent() throws {
        let failures = try infer(
            [
                entity("P", [attribute("x")]), entity("A", parent: "P", unique: [["x"]]),
                entity("B", parent: "P", unique: [["x"]]),
            ],
            [
                entity("P", abstract: true, unique: [["x"]], [attribute("x")]), entity("A", parent: "P"),
                entity("B", parent: "P"),
            ]
        ).failures.filter { $0.cocoaCode == 134_111 }
        #expect(failures.map(\.entity) == ["P"])
    }

    @Test func aDefaultInPlaceOfMissingValuesMayBreakAConstraint() throws {
        let failures = try infer(
            [entity("A", unique: [["x"]], [attribute("x")])],
            [entity("A", unique: [["x"]], [attribute("x", optional: false, default: .string("none"))])]
        ).failures
        #expect(failures.map(\.code) == [.newUniquenessConstraint(properties: ["x"])])
    }

    @Test func aConstraintOnANewEntityConcernsNobody() throws {
        let failures = try infer([entity("B")], [entity("B"), entity("A", unique: [["x"]], [attribute("x")])]).failures
        #expect(failures.isEmpty)
    }

    @Test func anEntityThatBecameAbstractFailsOnItsObjects() throws {
        let failures = try infer([entity("A")], [entity("A", abstract: true)]).failures
        #expect(failures.map(\.code) == [.becameAbstract])
        #expect(failures.first?.isDataDependent == true)
    }

    @Test func aNarrowerDestinationFailsOnLinksToTheRest() throws {
        let failures = try infer(
            [
                entity("P"), entity("A", parent: "P"), entity("B", parent: "P"), entity("Q", abstract: true),
                entity("C", [], [relationship("r", to: "P")]),
            ],
            [
                entity("P"), entity("A", parent: "P"), entity("B", parent: "P"), entity("Q", abstract: true),
                entity("C", [], [relationship("r", to: "A")]),
            ]
        ).failures
        #expect(failures.map(\.code) == [.destinationNarrowed(to: "A", excluded: ["P", "B"])])
        #expect(failures.first?.subject == "C.r")
    }

    @Test func entitiesThatAreGoneAreNotMissedByARelationship() throws {
        #expect(
            try infer(
                [
                    entity("P", abstract: true), entity("A", parent: "P"), entity("B", parent: "P"),
                    entity("C", [], [relationship("r", to: "P")]),
                ],
                [entity("A"), entity("C", [], [relationship("r", to: "A")])]
            ).failures.isEmpty)
    }

    @Test func aNewToOneWhoseInverseWasAloneMayHaveSeveralSources() throws {
        let failures = try infer(
            [entity("A"), entity("B", [], [relationship("a", to: "A")])],
            [
                entity("A", [], [relationship("b", to: "B", inverse: "a")]),
                entity("B", [], [relationship("a", to: "A", inverse: "b")]),
            ]
        ).failures
        #expect(failures.map(\.code) == [.severalSources(inverse: "B.a")])
        #expect(failures.first?.subject == "A.b")
    }

    @Test(arguments: [false, true])
    func aToManyThatLosesItsInverseKeepsOneOwnerOfEachDestination(wasToMany: Bool) throws {
        let failures = try infer(
            [
                entity("A", [], [relationship("b", to: "B", inverse: "a", many: wasToMany)]),
                entity("B", [], [relationship("a", to: "A", inverse: "b", many: true)]),
            ],
            [entity("A", [], [relationship("b", to: "B", many: true)]), entity("B")]
        ).failures
        #expect(failures.map(\.code) == [.sharedDestinations])
        #expect(failures.first?.subject == "A.b")
        #expect(failures.first?.isDataDependent == true)
    }

    @Test func aToOneThatTakesTheNameOfAnotherKeepsItsSingleSource() throws {
        #expect(
            try infer(
                [
                    entity("A", [], [relationship("old", to: "B", inverse: "a")]),
                    entity("B", [], [relationship("a", to: "A", inverse: "old")]),
                ],
                [
                    entity("A", [], [relationship("new", to: "B", inverse: "a")]),
                    entity("B", [], [relationship("a", to: "A", inverse: "new")]),
                ]
            ).failures.isEmpty)
    }

    @Test func refusalsComeFirst() throws {
        let failures = try infer(
            [entity("A"), entity("Z", [attribute("x", .string)])],
            [entity("A", abstract: true), entity("Z", [attribute("x", .date)])]
        ).failures
        #expect(failures.map(\.isDataDependent) == [false, true])
    }
}
