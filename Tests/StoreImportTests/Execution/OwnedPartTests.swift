import Foundation
import RecordSources
import StoreImport
import Testing

/// Parts of records that have no key: found again among the objects of their owner.
@Suite struct OwnedPartTests {
    private let fixture: ImportFixture

    init() throws {
        fixture = try ImportFixture(
            entities: """
                <entity name="Recipe"><attribute name="name" attributeType="String"/>
                <relationship name="ingredients" optional="YES" toMany="YES" ordered="YES" deletionRule="Cascade"
                destinationEntity="Ingredient" inverseName="recipe" inverseEntity="Ingredient"/>
                <relationship name="notes" optional="YES" toMany="YES" destinationEntity="Note" inverseName="recipe"
                inverseEntity="Note"/>
                <relationship name="picture" optional="YES" maxCount="1" destinationEntity="Picture" inverseName="recipe"
                inverseEntity="Picture"/>
                <relationship name="author" optional="YES" maxCount="1" destinationEntity="Author" inverseName="recipes"
                inverseEntity="Author"/>
                <relationship name="tags" optional="YES" toMany="YES" destinationEntity="Tag" inverseName="recipes"
                inverseEntity="Tag"/>
                <uniquenessConstraints><uniquenessConstraint><constraint value="name"/></uniquenessConstraint>
                </uniquenessConstraints></entity>
                <entity name="Ingredient"><attribute name="name" optional="YES" attributeType="String"/>
                <attribute name="grams" optional="YES" attributeType="Integer 32"/>
                <relationship name="recipe" optional="YES" maxCount="1" destinationEntity="Recipe"
                inverseName="ingredients" inverseEntity="Recipe"/></entity>
                <entity name="Note"><attribute name="text" optional="YES" attributeType="String"/>
                <relationship name="recipe" optional="YES" maxCount="1" destinationEntity="Recipe" inverseName="notes"
                inverseEntity="Recipe"/></entity>
                <entity name="Picture"><attribute name="file" optional="YES" attributeType="String"/>
                <relationship name="recipe" optional="YES" maxCount="1" destinationEntity="Recipe" inverseName="picture"
                inverseEntity="Recipe"/></entity>
                <entity name="Author"><attribute name="name" optional="YES" attributeType="String"/>
                <relationship name="recipes" optional="YES" toMany="YES" destinationEntity="Recipe" inverseName="author"
                inverseEntity="Recipe"/></entity>
                <entity name="Tag"><attribute name="word" optional="YES" attributeType="String"/>
                <relationship name="recipes" optional="YES" toMany="YES" destinationEntity="Recipe" inverseName="tags"
                inverseEntity="Recipe"/></entity>
                """)
    }

    private static let mapping = """
        entity: Recipe
        key: name
        attributes: [name]
        relationships:
          ingredients: {each: 'ingredients[*]', entity: Ingredient, attributes: [name, grams]}
          picture: {each: picture, entity: Picture, attributes: [file]}
          author: {each: author, entity: Author, attributes: [name]}
          tags: {each: 'tags[*]', entity: Tag, attributes: {word: .}}
        """

    @discardableResult
    private func run(
        _ text: String, as name: String = "recipes.json", mapping: String = OwnedPartTests.mapping, rows: Int = 1000
    ) throws -> ImportReport {
        let report = try fixture.run(
            text, as: name, mapping: mapping, options: ImportOptions(limits: RecordBatch.Limits(rows: rows)))
        #expect(report.rejected == 0)
        #expect(try fixture.faults() == [])
        return report
    }

    /// Inserted, updated, related and unrelated objects of all entities together.
    private func changes(_ report: ImportReport) -> [Int64] {
        report.entities.reduce(into: [0, 0, 0, 0]) { sums, entity in
            let counts = [entity.inserted, entity.updated, entity.related, entity.unrelated]
            for (place, count) in counts.enumerated() { sums[place] += count }
        }
    }

    private func ingredients() throws -> [String] {
        try fixture.rows(
            "SELECT r.ZNAME, i.Z_PK, i.ZNAME, i.ZGRAMS FROM ZINGREDIENT i LEFT JOIN ZRECIPE r ON r.Z_PK = i.ZRECIPE "
                + "ORDER BY r.ZNAME IS NULL, r.ZNAME, i.Z_FOK_RECIPE")
    }

    private static let soup = """
        {"name": "Soup", "ingredients": [{"name": "water", "grams": 500}, {"name": "salt", "grams": 5}, {"name": "salt",
        "grams": 5}], "picture": {"file": "soup.jpg"}, "author": {"name": "Ada"}, "tags": ["hot", "cheap"]}
        """
    private static let cake = #"{"name": "Cake", "ingredients": [{"name": "flour", "grams": 200}], "tags": ["sweet"]}"#

    @Test(arguments: [1, 1000])
    func theSameFileAgainChangesNothingAndMakesNoObject(rows: Int) throws {
        let text = "[\(Self.soup), \(Self.cake)]"
        #expect(changes(try run(text, rows: rows))[0] == 11)
        let before = try ingredients()
        let versions = try fixture.rows("SELECT sum(Z_OPT) FROM ZINGREDIENT")
        let again = try run(text, rows: rows)
        #expect(changes(again) == [0, 0, 0, 0])
        #expect(again.entities.reduce(0) { $0 + $1.unchanged } == 11)
        #expect(try ingredients() == before)
        #expect(try fixture.rows("SELECT sum(Z_OPT) FROM ZINGREDIENT") == versions)
    }

    @Test func aPartWithOtherValuesIsUpdatedWhereOnlyItsOwnerCanHaveIt() throws {
        try run("[\(Self.soup)]")
        let changed = Self.soup.replacingOccurrences(of: "500", with: "750").replacingOccurrences(
            of: "soup.jpg", with: "new.jpg")
        #expect(changes(try run("[\(changed)]")) == [0, 2, 0, 0])
        #expect(try ingredients() == ["Soup|1|water|750", "Soup|2|salt|5", "Soup|3|salt|5"])
        #expect(try fixture.rows("SELECT Z_PK, ZFILE FROM ZPICTURE") == ["1|new.jpg"])
    }

    @Test func aPartWithOtherValuesIsNewWhereOthersMayHaveItToo() throws {
        try run("[\(Self.soup)]")
        let changed = Self.soup.replacingOccurrences(of: "Ada", with: "Bob").replacingOccurrences(
            of: "cheap", with: "quick")
        #expect(changes(try run("[\(changed)]"))[0] == 2)
        #expect(try fixture.rows("SELECT ZNAME FROM ZAUTHOR ORDER BY Z_PK") == ["Ada", "Bob"])
        #expect(try fixture.rows("SELECT ZWORD FROM ZTAG ORDER BY Z_PK") == ["hot", "cheap", "quick"])
    }

    @Test(arguments: [1, 1000])
    func aNullInThePlaceOfAPartMakesNoObjectAndEndsTheLinkToOne(rows: Int) throws {
        let nulls = #"{"name": "Soup", "ingredients": null, "picture": null, "author": null, "tags": [null, "hot"]}"#
        #expect(changes(try run("[\(nulls)]", rows: rows))[0] == 2)
        try run("[\(Self.soup), \(Self.cake)]", rows: rows)
        let again = try run("[\(nulls)]", rows: rows)
        #expect(changes(again) == [0, 1, 0, 6])
        #expect(
            try fixture.rows(
                "SELECT ZPICTURE, ZAUTHOR, (SELECT count(*) FROM ZINGREDIENT WHERE ZRECIPE = r.Z_PK), "
                    + "(SELECT count(*) FROM ZPICTURE WHERE ZRECIPE = r.Z_PK) FROM ZRECIPE r WHERE ZNAME = 'Soup'")
                == ["NULL|NULL|0|0"])
        #expect(changes(try run("[\(nulls)]", rows: rows)) == [0, 0, 0, 0])
    }

    @Test func partsKeepTheirObjectsInAnotherOrderAndBesideMoreOrFewerOfThem() throws {
        try run(#"[{"name": "Tea", "ingredients": [{"name": "a"}, {"name": "b"}, {"name": "c"}]}]"#)
        try run(#"[{"name": "Tea", "ingredients": [{"name": "c"}, {"name": "a"}, {"name": "b"}, {"name": "d"}]}]"#)
        #expect(try ingredients() == ["Tea|3|c|NULL", "Tea|1|a|NULL", "Tea|2|b|NULL", "Tea|4|d|NULL"])
        let fewer = try run(#"[{"name": "Tea", "ingredients": [{"name": "b"}, {"name": "d"}]}]"#)
        #expect(changes(fewer) == [0, 0, 0, 2])
        #expect(try ingredients().prefix(2) == ["Tea|2|b|NULL", "Tea|4|d|NULL"])
    }

    @Test(arguments: [1, 2, 1000])
    func whereTwoRecordsHaveThePartsOfOneOwnerTheLastCounts(rows: Int) throws {
        try run(#"[{"name": "Tea", "ingredients": [{"name": "a"}, {"name": "b"}]}]"#)
        let text = #"""
            [{"name": "Tea", "ingredients": [{"name": "x"}, {"name": "b"}]}, {"name": "Pie", "ingredients": [{"name": "p"}]},
            {"name": "Tea", "ingredients": [{"name": "b"}, {"name": "y"}]}]
            """#
        for _ in 0..<2 {
            try run(text, rows: rows)
            let found = try ingredients().filter { $0.hasPrefix("Tea") }.map { $0.split(separator: "|")[2] }
            #expect(found == ["b", "y"])
        }
    }

    private static let notes = """
        header: true
        entity: Recipe
        key: name
        attributes: [name]
        relationships:
          notes: {entity: Note, attributes: [text], add: true}
        """

    @Test(arguments: [1, 2, 1000])
    func rowsThatAddPartsFindEachOfThemOnce(rows: Int) throws {
        let text = "name,text\nSoup,good\nSoup,hot\nCake,good\nSoup,good\n"
        #expect(changes(try run(text, as: "n.csv", mapping: Self.notes, rows: rows))[0] == 6)
        #expect(changes(try run(text, as: "n.csv", mapping: Self.notes, rows: rows)) == [0, 0, 0, 0])
        let more = try run(text + "Cake,dry\nSoup,good\n", as: "n.csv", mapping: Self.notes, rows: rows)
        #expect(changes(more) == [2, 0, 2, 0])
        #expect(
            try fixture.rows("SELECT ZTEXT, count(*) FROM ZNOTE GROUP BY 1 ORDER BY 1") == ["dry|1", "good|4", "hot|1"])
    }

    @Test func partsThatNameTheirOwnerAreFoundByTheirValues() throws {
        let mapping = """
            objects:
              - {id: recipe, entity: Recipe, key: name, attributes: [name]}
              - entity: Note
                each: 'notes[*]'
                attributes: {text: .}
                relationships: {recipe: {object: recipe}}
            """
        try run(#"[{"name": "Soup", "notes": ["good", "hot"]}]"#, mapping: mapping)
        #expect(changes(try run(#"[{"name": "Soup", "notes": ["hot", "good"]}]"#, mapping: mapping)) == [0, 0, 0, 0])
        #expect(changes(try run(#"[{"name": "Soup", "notes": ["cold", "good"]}]"#, mapping: mapping))[0] == 1)
        #expect(try fixture.rows("SELECT ZTEXT FROM ZNOTE ORDER BY Z_PK") == ["good", "hot", "cold"])
    }

    @Test func wholeRecordsWithoutAKeyAreNewEachTime() throws {
        let mapping = "entity: Note\nattributes: [text]\n"
        for count in 1...2 {
            try run("text\nsame\n", as: "n.csv", mapping: mapping)
            #expect(try fixture.rows("SELECT count(*) FROM ZNOTE") == ["\(count)"])
        }
    }
}
