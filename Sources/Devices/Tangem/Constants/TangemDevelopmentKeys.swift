// SPDX-License-Identifier: MIT

/// Keys of development cards, published by the vendor: never a secret, never to be used with value.
///
/// All on secp256k1; public keys are uncompressed points. Source: the example app of the vendor's public host
/// library, in a revision under the MIT licence.
public enum TangemDevelopmentKeys {
    /// Name of the issuer of every development card.
    public static let issuerName = "TANGEM SDK"
    /// Name of the manufacturer of every development card.
    public static let manufacturerName = "TANGEM SDK"

    /// A private key and its public key, as hex text.
    public struct Pair: Hashable, Sendable {
        /// 32 bytes.
        public let privateKey: String
        /// 65 bytes.
        public let publicKey: String
    }

    /// Signs identifiers of cards and keys of issuers.
    public static let manufacturer = Pair(
        privateKey: "1B48CFD24BBB5B394771ED81F2BACF57479E4735EB1405083927372D40DA9E92",
        publicKey: "04BAB86D56298C996F564A84FC88E28AED38184B12F07E519113BEF48C76F3DF3A"
            + "DC303599B08AC05B55EC3DF98D9338573A6242F76F5D28F4F0F364E87E8FCA2F"
    )
    /// Signs issuer data, files and keys of cards.
    public static let issuerData = Pair(
        privateKey: "11121314151617184771ED81F2BACF57479E4735EB1405083927372D40DA9E92",
        publicKey: "045F16BD1D2EAFE463E62A335A09E6B2BBCBD04452526885CB679FC4D27AF1BD22"
            + "F553C7DEEFB54FD3D4F361D14E6DC3F11B7D4EA183250A60720EBDF9E110CD26"
    )
    /// Signs transactions.
    public static let issuerTransaction = Pair(
        privateKey: "11121314151617184771ED81F2BACF57479E4735EB1405081918171615141312",
        publicKey: "0484C5192E9BFA6C528A344F442137A92B89EA835BFEF1D04CB4362EB906B508C5"
            + "889846CFEA71BA6DC7B3120C2208DF9C46127D3D85CB5CFBD1479E97133A39D8"
    )
    /// Signs for acquirers.
    public static let acquirer = Pair(
        privateKey: "21222324252627284771ED81F2BACF57479E4735EB1405083927372D40DA9E92",
        publicKey: "0456AD1A82B22BCB40C38FD08939F87E6B80E40DEC5B3BDB351C55FCD709E47F9F"
            + "B2ED00C2304D3A986F79C5AE0AC3C84E88DA46DC8F513B7542C716AF8C9A2DAF"
    )
}
