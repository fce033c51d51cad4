import ImportMappings
import StoreImport
import Testing

@testable import RecordConversion

/// What a draft only guesses stands in it as a guess.
@Suite struct DraftGuessTests {
    @Test func aNameThatIsUniqueInTheSampleIsOfferedAsAKeyInAComment() throws {
        let fixture = try DraftFixture(DraftFixture.entity("Thing", "name", "size:Integer 32"))
        let source = try fixture.fixture.write("name,size\na,1\nb,2\n", as: "things.csv")
        let draft = try fixture.draft([source])
        #expect(draft.mapping.sources[0].objects[0].key == [])
        #expect(draft.yaml.contains("A guess, since no"))
        #expect(draft.yaml.contains("# key: name"))
    }

    @Test func anIdentifierThatIsUniqueInTheSampleIsAKeyThatIsMarkedAsAGuess() throws {
        let fixture = try DraftFixture(DraftFixture.entity("Thing", "code", "size:Integer 32"))
        let source = try fixture.fixture.write("code,size\na,1\nb,2\n", as: "things.csv")
        let draft = try fixture.draft([source])
        #expect(draft.mapping.sources[0].objects[0].key == ["code"])
        #expect(draft.yaml.contains("a guess: no two of 2 records seen have the same"))
        // What the model declares is no guess.
        let declared = try DraftFixture(DraftFixture.entity("Thing", "code", "size", more: DraftFixture.unique("code")))
        #expect(try !declared.draft([source]).yaml.contains("guess"))
    }

    @Test func wordsForNoValueAreNamedAsAGuess() throws {
        let fixture = try DraftFixture(DraftFixture.entity("Thing", "size:Integer 32", "price:Double"))
        let source = try fixture.fixture.write("size,price\n1,2.5\nn/a,3\n", as: "things.csv")
        #expect(try fixture.draft([source]).yaml.contains("a guess: \"n/a\" stands for no value"))
    }

    @Test(arguments: [
        ("Double", "\"1,234\"", true), ("Decimal", "\"1,234\"", true), ("Integer 32", "\"1,000\"", true),
        ("Integer 32", "\"1,234\"", false), ("Double", "\"1,234,567\"", false), ("Double", "\"1,23\"", false),
    ])
    func aCommaThatMayPartThousandsOrAFractionIsNotGuessed(
        type: String, value: String, isAmbiguous: Bool
    ) throws {
        let fixture = try DraftFixture(DraftFixture.entity("Thing", "number:Integer 32", "price:\(type)"))
        let source = try fixture.fixture.write("number,price\n1,\(value)\n2,7\n", as: "things.csv")
        let draft = try fixture.draft([source])
        let price = draft.mapping.sources[0].objects[0].attributes.first { $0.attribute == "price" }
        #expect((price?.conversion == ConversionSettings()) == isAmbiguous, "\(draft.yaml)")
        #expect(draft.yaml.contains("ambiguous: \(value) may be thousands") == isAmbiguous, "\(draft.yaml)")
        // The import takes no side either.
        #expect(try fixture.run([source]).rejected == (isAmbiguous ? 1 : 0))
    }

    @Test func yearsOfTwoDigitsAreReadAsSuchAndTheDraftSaysInWhichCentury() throws {
        let fixture = try DraftFixture(DraftFixture.entity("Thing", "born:Date", "number:Integer 32"))
        let source = try fixture.fixture.write("number,born\n1,31.12.99\n2,1.2.01\n", as: "things.csv")
        let draft = try fixture.draft([source])
        let born = draft.mapping.sources[0].objects[0].attributes.first { $0.attribute == "born" }
        #expect(born?.conversion.date == "dd.MM.yy")
        #expect(draft.yaml.contains("years from "))
        #expect(try fixture.run([source]).rejected == 0)
        #expect(
            try fixture.fixture.rows("SELECT CAST(ZBORN AS INTEGER) FROM ZTHING ORDER BY ZNUMBER")
                == ["-31708800", "2678400"])
    }

    @Test func theModelsRulesAreTriedOnTheSample() throws {
        let fixture = try DraftFixture(
            "<entity name='Thing'><attribute name='level' attributeType='Integer 16' optional='YES' maxValueString='5'/>"
                + "<attribute name='name' attributeType='String' minValueString='1' optional='YES'/>"
                + "<attribute name='code' attributeType='String'/></entity>")
        let source = try fixture.fixture.write(
            "\"level\",\"name\",\"code\"\n\"3\",\"\",\"x\"\n\"7\",\"a\",\"\"\n", as: "things.csv")
        let draft = try fixture.draft([source])
        #expect(
            draft.yaml.contains("1 of 2 values of the sample break a rule of the model: \"7\", the number is larger"))
        #expect(draft.yaml.contains("a guess: empty texts in quotes stand for no value"))
        #expect(draft.yaml.contains("required, and without value in the sample 1 times"))
        let name = draft.mapping.sources[0].objects[0].attributes.first { $0.attribute == "name" }
        #expect(name?.conversion.emptyAsNull == "always")
        #expect(try fixture.run([source]).rejected == 1)
    }

    @Test func aSourceWithoutAnythingForItsEntityIsLeftOutAndTheDraftRuns() throws {
        let fixture = try DraftFixture(DraftFixture.entity("Thing", "number:Integer 32", "title"))
        let good = try fixture.fixture.write("number,title\n1,a\n", as: "x.csv")
        let empty = try fixture.fixture.write("p,q,r,s\n1,a,b,c\n", as: "things.csv")
        let draft = try fixture.draft([good, empty])
        #expect(draft.mapping.sources.map(\.files) == [["x.csv"]])
        #expect(draft.yaml.contains("#   things.csv: no column has the name of an attribute of Thing (p, q, r, s)"))
    }
}
