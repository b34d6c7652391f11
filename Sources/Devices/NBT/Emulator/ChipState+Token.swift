// SPDX-License-Identifier: MIT

import Cryptography
import NBTConstants

extension ChipState {
    /// The message file as a face reads it: with a token in place of the placeholder, where there is one.
    func messageFile(seenBy face: ChipInterface) -> [UInt8] {
        var content = memory.files[.ndef] ?? []
        guard rules.proof.seesToken(face), let token = self[face].token,
            let place = NDEFPlaces.token(in: content)
        else { return content }
        content.replaceSubrange(place, with: token)
        return content
    }

    /// Makes the token that the next reads give; none where rule, key or place is missing.
    mutating func refreshToken(of face: ChipInterface) {
        let old = self[face].token
        guard settings.patchesToken, rules.proof.seesToken(face), let key = memory.cottKey,
            NDEFPlaces.token(in: memory.files[.ndef] ?? []) != nil
        else {
            self[face].token = nil
            return
        }
        if !rules.proof.isTokenFresh, old != nil { return }
        let part =
            rules.proof.isTokenFresh
            ? random(COTTLayout.randomSize, for: .token)
            : [UInt8](repeating: 0, count: COTTLayout.randomSize)
        let body = rules.proof.tokenHeader + rules.proof.tokenUID(memory.uid) + part
        do {
            let code = try CMAC.code(of: rules.proof.authenticatedPart(body), key: key)
            self[face].token = Array(Self.urlSafeBase64(body + code).utf8)
        } catch {
            self[face].token = nil
        }
    }

    /// Text of bytes whose number is a multiple of three.
    ///
    /// Source: RFC 4648 §5.
    private static func urlSafeBase64(_ bytes: [UInt8]) -> String {
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
        var out = ""
        for start in stride(from: 0, to: bytes.count - 2, by: 3) {
            let group = bytes[start..<start + 3].reduce(0) { $0 << 8 | Int($1) }
            for shift in [18, 12, 6, 0] { out.append(alphabet[group >> shift & 0x3F]) }
        }
        return out
    }
}
